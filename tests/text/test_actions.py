"""A rule about an action is about each call that does it, whatever the program is called, and about no other one."""

import pytest

from memorybank.text.commands import actions, forms
from memorybank.text.prompts.actions import is_limited_by, spellings


def limits(sentence, command):
    words = command.lower().replace("-", " ").split()
    return any(is_limited_by(sentence, action, words) for action in actions.of_forms(forms.of_command(command)))


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("pnpm -r publish --dry-run", ["publish"]),
        ("terraform -chdir=infra apply", ["apply"]),
        ("kubectl -n shop delete pod web-1", ["delete", "pod"]),
        ("npm run release:prod", ["run", "release:prod", "release", "prod"]),
        ("git push origin publish", ["push"]),
        ("rtk git push origin publish", ["push"]),
        ("cat publish", []),
        ("mkdir deploy", []),
    ],
)
def test_the_actions_of_a_command_are_its_sub_commands(command, found):
    assert actions.of_forms(forms.of_command(command)) == found


@pytest.mark.parametrize(
    ("sentence", "command"),
    [
        ("never publish from a laptop", "npm publish"),
        ("never publish from a laptop", "pnpm -r publish --no-git-checks"),
        ("packages are only published from CI, always", "cargo publish"),
        ("please never publish the internal packages", "lerna publish"),
        ("stop releasing without a changelog", "gh release create v2"),
        ("Deploying on Fridays is forbidden.", "fly deploy"),
        ("no deploys without my ok", "netlify deploy --prod"),
        ("Don't ever destroy anything without asking me.", "terraform destroy -target=x"),
        ("Always take a dump before you migrate.", "prisma migrate deploy"),
        ("apply is my job, you stop at plan", "terraform apply"),
        ("never force unlock, ask who holds it", "terraform force-unlock 12"),
        ("We must not prune without asking.", "docker system prune -af"),
        ("Never evict pods.", "kubectl evict pods web-1"),
        ("applyは必ず僕がやるので、planまでにしてください", "terraform -chdir=infra apply"),
        ("force-unlockは絶対やらないで、ロックの持ち主にまず聞くこと。", "terraform force-unlock -force 6f1c"),
        ("公開は必ずCIからにしてください。", "npm publish"),
        ("リリースは僕がやります。", "gh release create v1"),
        ("本番でrollbackするのは禁止です", "helm rollback web"),
        ("デプロイはSREチームに任せてください", "fly deploy"),
        ("`prune` は使わないでください。", "docker system prune"),
        ("インフラの適用は私がやるので、こちらではしないこと", "terraform apply"),
        ("アップグレードは許可を取ってからにしてください", "helm upgrade web ./chart"),
        ("drainする前に必ず一声かけて", "kubectl drain node-1"),
    ],
)
def test_a_sentence_about_an_action_is_about_a_call_that_does_it(sentence, command):
    assert limits(sentence, command)


@pytest.mark.parametrize(
    ("sentence", "command"),
    [
        ("never publish from a laptop", "pnpm -r test"),
        ("never publish from a laptop", "git checkout publish"),
        ("Always apply the patch to both branches.", "terraform apply"),
        ("We never apply discounts twice.", "terraform apply"),
        ("the apply button must never be red", "terraform apply"),
        ("never delete the fixtures", "kubectl delete pod web-1"),
        ("The release notes must always be in English.", "npm run release"),
        ("must always be restored from the cache", "dotnet restore"),
        ("never restart the wizard on errors", "systemctl restart nginx"),
        ("make sure that you always prune unused imports", "docker system prune"),
        ("don't start with the UI", "docker start db"),
        ("always add tests", "git add -A"),
        ("Never squash bugs silently", "jj squash"),
        ("applyは必ず僕がやるので、planまでにしてください", "terraform -chdir=infra plan"),
        ("公開APIは必ずドキュメントを書くこと", "npm publish"),
        ("公開日のフォーマットは必ずISOで", "npm publish"),
        ("設定を適用する関数には必ずテストを書いて", "terraform apply"),
        ("割引の適用は必ず1回だけ", "terraform apply"),
        ("不要なファイルは必ず削除してください", "kubectl delete pod x"),
        ("リリースノートは必ず英語で", "npm run release"),
        ("テストは必ず書いてください", "npm test"),
    ],
)
def test_a_sentence_that_uses_the_word_otherwise_is_about_no_call(sentence, command):
    assert not limits(sentence, command)


@pytest.mark.parametrize(
    ("sentence", "action"),
    [("No force unlocks.", "force-unlock"), ("Only CI publishes.", "publish"), ("Never migrating again.", "migrate"), ("公開は禁止。", "publish")],
)
def test_every_sentence_about_an_action_contains_one_of_its_spellings(sentence, action):
    assert any(spelling in sentence.lower() for spelling in spellings(action))


def test_what_every_session_runs_is_no_action_that_a_rule_can_be_about():
    assert [spellings(word) for word in ("test", "run", "up")] == [[], [], []]
