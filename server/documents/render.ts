import { Worker } from 'node:worker_threads'
import type { Language } from '@kiraya/sdk/contract'
import type { DocumentName, Documents } from './data'

export type RenderRequest = { id: number; name: DocumentName; language: Language; data: object }
export type RenderResponse = { id: number; content: Uint8Array } | { id: number; error: string }

/** The longest document takes seconds. */
const MAX_RENDER_MS = 30_000
/** The fonts take memory, and a few hundred milliseconds to load. */
const MAX_IDLE_MS = 60_000

let renderer: Renderer | undefined

/** Renders a document as a PDF, in a thread that starts with the first one. The same data gives the same bytes. */
export function renderDocument<N extends DocumentName>(
  name: N,
  data: Documents[N],
  language: Language = 'en',
): Promise<Uint8Array> {
  renderer ??= new Renderer()
  return renderer.render(name, data, language)
}

/** A Worker and the documents that wait for it. If it fails they all do, and the next document starts another one. */
class Renderer {
  private readonly worker = new Worker(new URL('./worker.ts', import.meta.url))
  private readonly waiting = new Map<number, PromiseWithResolvers<Uint8Array>>()
  private lastId = 0
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor() {
    this.worker.on('message', (response: RenderResponse) => this.settle(response))
    this.worker.on('error', ({ message }) => this.end(message))
    this.worker.on('exit', () => this.end('The thread ended'))
  }

  render(name: DocumentName, data: object, language: Language) {
    const id = ++this.lastId
    const document = Promise.withResolvers<Uint8Array>()
    this.waiting.set(id, document)
    this.worker.ref()
    this.worker.postMessage({ id, name, language, data } satisfies RenderRequest)
    if (this.waiting.size === 1) this.expectResponse()
    return document.promise
  }

  private settle(response: RenderResponse) {
    const { resolve, reject } = this.waiting.get(response.id)!
    this.waiting.delete(response.id)
    if ('content' in response) resolve(response.content)
    else reject(new Error(`A document cannot be rendered: ${response.error}`))
    this.expectResponse()
  }

  /** It compiles one document after the other, so each has its time from the one before. */
  private expectResponse() {
    clearTimeout(this.timer)
    if (this.waiting.size > 0) {
      this.timer = setTimeout(() => this.end('It took too long'), MAX_RENDER_MS)
      return
    }
    this.worker.unref()
    this.timer = setTimeout(() => this.end('It was idle'), MAX_IDLE_MS)
    this.timer.unref()
  }

  private end(reason: string) {
    if (renderer === this) renderer = undefined
    clearTimeout(this.timer)
    this.worker.terminate()
    for (const { reject } of this.waiting.values())
      reject(new Error(`A document was not rendered: ${reason}`))
    this.waiting.clear()
  }
}
