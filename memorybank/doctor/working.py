"""The check whether recording and recall work in this project. `status` asks it each time, so it loads little more than the heartbeat."""

from collections.abc import Iterator

from memorybank.doctor.context import DoctorContext
from memorybank.doctor.finding import FAIL, WARN, Symptom
from memorybank.hosts import heartbeat, status
from memorybank.hosts.heartbeat import RECORDING, TRUST


def conditions(context: DoctorContext) -> Iterator[Symptom]:
    """Report every condition under which recording or recall does not work, with the command that repairs it.

    A project without hooks, in which no hook ever worked, is not examined.
    """
    has_worked = heartbeat.read_stamp(heartbeat.stamp_path(context.project, context.environ), context.project) is not None
    if not has_worked and not any(each.events for each in context.hook_statuses):
        return
    for each in context.hook_statuses:
        if each.state == status.BROKEN:
            what = f"{each.registration.title} ({each.scope}) records nothing here, because its hook starts a missing program: {', '.join(each.missing)}"
            repair = "memorybank hooks install" if each.scope == "project" else f"memorybank hooks install --host {each.registration.host} --scope {each.scope}"
            yield Symptom(FAIL, what, context.shown(each.path), f"run: {repair}")
    for trouble in heartbeat.troubles(heartbeat.Pulse(context.layout)):
        if trouble.id == TRUST:  # `safety.accepted` reports it, also in a project without hooks
            continue
        yield Symptom(FAIL if trouble.id == RECORDING else WARN, trouble.what, suggestion=f"run: {trouble.repair}")
