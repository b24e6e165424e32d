import { refuseInput } from './inputs.ts'
import type { CallOptions } from './options.ts'

/** A file to send: what a form or a camera gives, bytes, or a stream of them. */
export type Upload = Blob | Uint8Array | ReadableStream<Uint8Array>

/** How much of a file has been handed to the network. */
export interface UploadProgress {
  /** Bytes. */
  sent: number
  /** Bytes. */
  total: number
}

/** The options of a call that sends a file. */
export interface UploadOptions extends CallOptions {
  /**
   * Called while the file is sent, under Node and Bun after each chunk. `fetch` of browsers does not tell, so there it is
   * called once, at the end. A retry begins again.
   */
  onProgress?: ((progress: UploadProgress) => void) | undefined
}

/**
 * Returns a file as a Blob, whose bytes a retry sends again.
 * @throws {ValidationError} It is no file.
 */
export async function requireFile(file: unknown): Promise<Blob> {
  if (file instanceof Blob) return file
  if (file instanceof Uint8Array) return new Blob([new Uint8Array(file)])
  if (!(file instanceof ReadableStream))
    refuseInput('The file must be a Blob, a File, a Uint8Array or a ReadableStream')
  return new Response(file).blob()
}

/** A browser would send a stream over HTTP/2 alone, or as the text of its name. */
const canStream = () => {
  const { process } = globalThis as { process?: { versions?: { node?: string } } }
  return Boolean(process?.versions?.node)
}

/** Returns how an attempt sends a file, and what to call once it has arrived. */
export function trackUpload(body: unknown, { onProgress }: UploadOptions) {
  if (!onProgress || !(body instanceof Blob)) return { init: {}, end: () => {} }
  const total = body.size
  if (canStream()) return { init: { body: toStream(body, onProgress), duplex: 'half' }, end: () => {} }
  return { init: {}, end: () => onProgress({ sent: total, total }) }
}

function toStream(file: Blob, onProgress: (progress: UploadProgress) => void) {
  let sent = 0
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      controller.enqueue(chunk)
      sent += chunk.length
      onProgress({ sent, total: file.size })
    },
  })
  return file.stream().pipeThrough(count)
}
