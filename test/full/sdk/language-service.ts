import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dir, '../../..')
const HEADER_END = '\r\n\r\n'

type Answer = { id?: number; method?: string; result?: { contents?: { value: string } } | null }

/** TypeScript's language service, which an editor shows hovers from; one program that it has read. */
export async function openProgram(file: string, text: string) {
  const service = Bun.spawn([join(root, 'node_modules/.bin/tsc'), '--lsp', '--stdio'], {
    cwd: root,
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const uri = pathToFileURL(file).href
  const answers = readAnswers(service.stdout)
  let lastId = 0

  const send = (message: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    void service.stdin.write(`Content-Length: ${Buffer.byteLength(body)}${HEADER_END}${body}`)
    void service.stdin.flush()
  }
  const ask = async (method: string, params: object) => {
    const id = ++lastId
    send({ id, method, params })
    for (;;) {
      const { value, done } = await answers.next()
      if (done) throw new Error(`The language service ended before it answered ${method}`)
      if (value.id === id && !value.method) return value.result
      // A question of the service's own: it asks for settings and gets none.
      if (value.id !== undefined && value.method) send({ id: value.id, result: null })
    }
  }

  const capabilities = { textDocument: { hover: { contentFormat: ['markdown'] } } }
  await ask('initialize', { processId: process.pid, rootUri: pathToFileURL(root).href, capabilities })
  send({ method: 'initialized', params: {} })
  send({
    method: 'textDocument/didOpen',
    params: { textDocument: { uri, languageId: 'typescript', version: 1, text } },
  })

  return {
    /** What an editor shows on the last word of the first occurrence of a text. */
    hover: async (occurrence: string) => {
      const end = text.indexOf(occurrence) + occurrence.length - 1
      if (end < occurrence.length - 1) throw new Error(`The program does not contain ${occurrence}`)
      const lines = text.slice(0, end).split('\n')
      const position = { line: lines.length - 1, character: lines.at(-1)!.length }
      const answer = await ask('textDocument/hover', { textDocument: { uri }, position })
      return answer?.contents?.value ?? ''
    },
    [Symbol.dispose]: () => service.kill(),
  }
}

async function* readAnswers(stream: ReadableStream<Uint8Array>): AsyncGenerator<Answer, undefined> {
  let received = Buffer.alloc(0)
  for await (const chunk of stream) {
    received = Buffer.concat([received, chunk])
    for (;;) {
      const headerEnd = received.indexOf(HEADER_END)
      if (headerEnd < 0) break
      const length = Number(/content-length: (\d+)/i.exec(received.toString('utf8', 0, headerEnd))?.[1])
      const bodyEnd = headerEnd + HEADER_END.length + length
      if (received.length < bodyEnd) break
      yield JSON.parse(received.toString('utf8', headerEnd + HEADER_END.length, bodyEnd))
      received = received.subarray(bodyEnd)
    }
  }
}
