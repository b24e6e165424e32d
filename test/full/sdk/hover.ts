import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dir, '../../..')

type Message = { id?: number | string; method?: string; result?: { contents: { value: string } } | null }

/** Starts TypeScript's language server, as an editor does, and returns what it shows at a position of a file. */
export async function readHover(folder: string, file: string, position: { line: number; character: number }) {
  const server = Bun.spawn([join(root, 'node_modules/.bin/tsc'), '--lsp', '--stdio'], {
    cwd: folder,
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const send = (message: object) => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    void server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
    void server.stdin.flush()
  }
  const uri = pathToFileURL(join(folder, file)).href
  const text = await Bun.file(join(folder, file)).text()
  const capabilities = { textDocument: { hover: { contentFormat: ['plaintext'] } } }
  send({
    id: 1,
    method: 'initialize',
    params: { processId: process.pid, rootUri: pathToFileURL(folder).href, capabilities },
  })
  try {
    for await (const message of readMessages(server.stdout)) {
      // The server asks too, such as for settings.
      if (message.method && message.id !== undefined) send({ id: message.id, result: null })
      if (message.method) continue
      if (message.id === 2) return message.result?.contents.value
      send({ method: 'initialized', params: {} })
      const textDocument = { uri, languageId: 'typescript', version: 1, text }
      send({ method: 'textDocument/didOpen', params: { textDocument } })
      send({ id: 2, method: 'textDocument/hover', params: { textDocument: { uri }, position } })
    }
    throw new Error('The language server ended')
  } finally {
    server.kill()
  }
}

async function* readMessages(stream: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  let bytes = Buffer.alloc(0)
  for await (const chunk of stream) {
    bytes = Buffer.concat([bytes, chunk])
    for (;;) {
      const [head, length] = /^Content-Length: (\d+)\r\n\r\n/.exec(bytes.toString('latin1')) ?? []
      const end = head ? head.length + Number(length) : Infinity
      if (bytes.length < end) break
      yield JSON.parse(bytes.subarray(head!.length, end).toString())
      bytes = bytes.subarray(end)
    }
  }
}
