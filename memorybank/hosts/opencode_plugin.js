// memorybank for opencode 1.x. Written by 'memorybank hooks install --host opencode'; installing again replaces this file.
// It hands each event to the hook as one JSON object and puts the answer before the model. Nothing in here may break a turn:
// whatever fails counts as "no memory".
import { spawn, spawnSync } from "node:child_process"
import { existsSync } from "node:fs"

const COMMAND = ["memorybank", "hook"]
const NEEDED = []
const MILLISECONDS = 5000

export const Memorybank = async ({ directory }) => {
  const sessions = new Map()
  const assistants = new Set()
  const calls = new Map()

  const session = (id) => {
    if (!sessions.has(id)) sessions.set(id, { id, parent: "", fresh: false, started: false, role: "", standing: [], last: "", error: "" })
    return sessions.get(id)
  }
  const root = (state) => {
    let current = state
    for (let steps = 0; current.parent && steps < 20; steps++) current = session(current.parent)
    return current.id
  }
  const payload = (name, state, fields) => ({
    memorybank: 1,
    hook_event_name: name,
    session_id: root(state),
    ...(state.parent ? { agent_id: state.id, agent_type: state.role || "subagent" } : {}),
    timestamp: Date.now(),
    cwd: directory,
    ...fields,
  })
  const options = (stdio) => ({ cwd: directory, stdio })
  const here = () => NEEDED.every((path) => existsSync(path))
  const text = (answer) => {
    const found = answer ? JSON.parse(answer).text : ""
    return typeof found === "string" ? found : ""
  }

  // The answer to one event, waited for: opencode goes on when it is there.
  const ask = (name, state, fields) =>
    new Promise((resolve) => {
      try {
        if (!here()) return resolve("")
        const child = spawn(COMMAND[0], [...COMMAND.slice(1), "--host", "opencode"], options(["pipe", "pipe", "ignore"]))
        let answer = ""
        const timer = setTimeout(() => finish(""), MILLISECONDS)
        const finish = (result) => {
          clearTimeout(timer)
          try {
            child.kill()
          } catch {}
          try {
            resolve(text(result))
          } catch {
            resolve("")
          }
        }
        child.on("error", () => finish(""))
        child.on("close", () => finish(answer))
        child.stdin.on("error", () => {})
        child.stdout.setEncoding("utf8")
        child.stdout.on("data", (part) => (answer += part))
        child.stdin.end(JSON.stringify(payload(name, state, fields)))
      } catch {
        resolve("")
      }
    })

  // An event at whose end opencode may leave at once: nothing waits for a promise then.
  const tell = (name, state, fields) => {
    if (here()) spawnSync(COMMAND[0], [...COMMAND.slice(1), "--host", "opencode"], { ...options(["pipe", "ignore", "ignore"]), input: JSON.stringify(payload(name, state, fields)), timeout: MILLISECONDS })
  }

  const quietly = (work) => async (...given) => {
    try {
      await work(...given)
    } catch {}
  }

  // The system prompt is made anew for each request: what was given once must be put there again for as long as the session lasts.
  const stays = (state, answer) => {
    if (answer) state.standing.push(answer)
  }

  const failed = async (part) => {
    const state = session(part.sessionID)
    const time = part.state.time || {}
    const answer = await ask("tool_after", state, {
      tool_name: part.tool,
      tool_use_id: part.callID,
      tool_input: part.state.input,
      error: part.state.error || "failed",
      ...(time.end && time.start ? { duration_ms: time.end - time.start } : {}),
    })
    stays(state, answer)
  }

  const happened = {
    "session.created": async ({ info }) => Object.assign(session(info.id), { parent: info.parentID || "", fresh: true }),
    "session.deleted": async ({ info }) => {
      const state = sessions.get(info.id)
      if (state && state.started && !state.parent) tell("session_end", state, { reason: "deleted" })
      sessions.delete(info.id)
    },
    "session.compacted": async ({ sessionID }) => {
      const state = session(sessionID)
      if (state.started && !state.parent) {
        state.standing = []
        stays(state, await ask("session_start", state, { source: "compact" }))
      }
    },
    "session.error": async ({ sessionID, error }) => {
      if (sessionID && error) session(sessionID).error = `${error.name}: ${(error.data && error.data.message) || ""}`
    },
    "session.idle": async ({ sessionID }) => {
      const state = session(sessionID)
      if (!state.started) return
      tell("turn_end", state, { last_assistant_message: state.last, ...(state.error ? { error: state.error } : {}) })
      state.last = state.error = ""
    },
    "message.updated": async ({ info }) => {
      if (info.role === "assistant") assistants.add(info.id)
    },
    "message.part.updated": async ({ part }) => {
      if (part.type === "text" && assistants.has(part.messageID)) session(part.sessionID).last = part.text
      if (part.type === "tool" && part.state && part.state.status === "error" && !calls.get(part.callID)?.failed) {
        calls.set(part.callID, { failed: true })
        await failed(part)
      }
    },
  }

  return {
    event: quietly(async ({ event }) => {
      const work = happened[event.type]
      if (work) await work(event.properties)
    }),
    "chat.message": quietly(async (input, output) => {
      const state = session(input.sessionID)
      state.role = output.message.agent || state.role
      const prompt = output.parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text).join("\n")
      if (!state.started) {
        state.started = true
        stays(state, await (state.parent ? ask("subagent_start", state, { prompt }) : ask("session_start", state, { source: state.fresh ? "startup" : "resume" })))
      }
      if (!state.parent) stays(state, await ask("prompt", state, { prompt, prompt_id: output.message.id }))
    }),
    "experimental.chat.system.transform": quietly(async (input, output) => {
      const state = sessions.get(input.sessionID)
      if (state) output.system.push(...state.standing)
    }),
    "tool.execute.before": quietly(async (input) => {
      calls.set(input.callID, { began: Date.now() })
    }),
    "tool.execute.after": quietly(async (input, output) => {
      const began = calls.get(input.callID)?.began
      calls.delete(input.callID)
      const exit = output.metadata && output.metadata.exit
      const answer = await ask("tool_after", session(input.sessionID), {
        tool_name: input.tool,
        tool_use_id: input.callID,
        tool_input: input.args,
        tool_output: output.output,
        ...(typeof exit === "number" ? { exit_code: exit } : {}),
        ...(began ? { duration_ms: Date.now() - began } : {}),
      })
      if (answer) output.output += "\n\n" + answer
    }),
    "experimental.session.compacting": quietly(async (input) => {
      await ask("compact_before", session(input.sessionID), { reason: "auto" })
    }),
    dispose: quietly(async () => {
      for (const state of sessions.values()) if (state.started && !state.parent) tell("session_end", state, { reason: "exit" })
      sessions.clear()
    }),
  }
}
