import type { MaintenanceAttachment } from '@kiraya/sdk/contract'
import { isPdf, redrawPicture } from '../documents/files'
import { refuse } from '../errors'
import { requireReadablePdf } from '../http/body/uploads'

/** What an attachment is stored as. */
export type StoredFile = { content_type: MaintenanceAttachment['content_type']; content: Uint8Array }

export const MAX_FILE_BYTES = 5 * 1024 * 1024

/**
 * Identifies an uploaded file by its bytes. A picture is drawn again, without what its camera wrote beside it, such as
 * the place.
 * @throws BAD_REQUEST It is neither a picture that can be decoded nor a PDF that can be read.
 * @throws SERVICE_UNAVAILABLE Too many pictures wait, or it took too long.
 */
export async function readFile(bytes: Uint8Array): Promise<StoredFile> {
  if (isPdf(bytes)) {
    await requireReadablePdf(bytes, 'file_not_supported')
    return { content_type: 'application/pdf', content: bytes }
  }
  const content = await redrawPicture(bytes)
  if (typeof content === 'string') throw refuse(content)
  return { content_type: 'image/webp', content }
}
