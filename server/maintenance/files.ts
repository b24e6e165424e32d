import type { MaintenanceAttachment } from '@kiraya/sdk/contract'
import { runInSlot } from '../../db/deadlines'
import { refuse } from '../errors'
import { createQueue } from '../http/limits/queue'

/** What an attachment is stored as. */
export type StoredFile = { content_type: MaintenanceAttachment['content_type']; content: Uint8Array }

export const MAX_FILE_BYTES = 5 * 1024 * 1024
const MAX_EDGE = 2048
const MAX_PIXELS = 50_000_000
const PICTURE_FORMATS = new Set<string>(['jpeg', 'png', 'webp'])
/** What Bun.Image says of bytes that it cannot decode. */
const UNREADABLE = /^ERR_IMAGE_(UNKNOWN_FORMAT|FORMAT_UNSUPPORTED|TOO_MANY_PIXELS|DECODE_FAILED)$/

/** One of 50 million pixels takes some 400 MB while it is drawn. */
const MAX_AT_ONCE = 1
const MAX_WAITING = 40

/** Reads uploaded files, one picture at a time. */
export function createFileReader() {
  const queue = createQueue(MAX_AT_ONCE, MAX_WAITING, 'pictures_busy')

  /**
   * Identifies a file by its bytes. A picture is drawn again, without what its camera wrote beside it, such as the place.
   * @throws BAD_REQUEST It is neither a picture that can be decoded nor a PDF.
   * @throws SERVICE_UNAVAILABLE Too many pictures wait.
   */
  return async function readFile(bytes: Uint8Array): Promise<StoredFile> {
    if (isPdf(bytes)) return { content_type: 'application/pdf', content: bytes }
    const content = await runInSlot(() => queue.run(() => redrawPicture(bytes)))
    return { content_type: 'image/webp', content }
  }
}

const isPdf = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 5)).toString('latin1') === '%PDF-'

async function redrawPicture(bytes: Uint8Array) {
  if (bytes.length === 0) throw refuse('file_not_supported')
  try {
    const picture = new Bun.Image(bytes, { maxPixels: MAX_PIXELS })
    const { format } = await picture.metadata()
    if (!PICTURE_FORMATS.has(format)) throw refuse('file_not_supported')
    const limits = { fit: 'inside', withoutEnlargement: true } as const
    return await picture.resize(MAX_EDGE, MAX_EDGE, limits).webp().bytes()
  } catch (error) {
    if (!UNREADABLE.test((error as { code?: string }).code ?? '')) throw error
    throw refuse('file_not_supported', {}, { cause: error })
  }
}
