import type { Language } from '@kiraya/sdk/contract'
import { compileDocument } from './compile'
import type { DocumentName } from './data'
import { inspectPdf } from './inspect-pdf'
import { redrawPicture } from './picture'
import type { ChildMessage } from '../queues/children'

// A process of its own, since what it does can neither yield nor be stopped.

export type Task =
  | { kind: 'document'; name: DocumentName; language: Language; json: string }
  | { kind: 'pdf'; bytes: Uint8Array }
  | { kind: 'picture'; bytes: Uint8Array }

// A terminal, or a supervisor, signals the whole group: the server still finishes its requests.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {})
// The server has ended, however that came.
process.on('disconnect', () => process.exit())
process.on('message', async (task: Task) => send(await respond(task)))
send('ready')

function send(message: ChildMessage) {
  process.send!(message)
}

async function respond(task: Task): Promise<ChildMessage> {
  try {
    return { result: await work(task) }
  } catch (error) {
    return { error: String(error) }
  }
}

function work(task: Task) {
  if (task.kind === 'document') return compileDocument(task)
  return task.kind === 'pdf' ? inspectPdf(task.bytes) : redrawPicture(task.bytes)
}
