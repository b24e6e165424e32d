import { createQueue } from '../queues/queue'
import { slowChild } from './children'
import type { PdfProblem } from './inspect-pdf'
import type { RedrawnPicture } from './picture'

const MAX_WAITING = 40
/** Readers look for it in so many bytes. */
const PDF_HEADER_BYTES = 1024

const pdfs = createQueue(1, MAX_WAITING, 'documents_busy')
const pictures = createQueue(1, MAX_WAITING, 'pictures_busy')

/** Whether bytes are meant as a PDF; some programs write a few others before it. */
export const isPdf = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, PDF_HEADER_BYTES)).includes('%PDF-')

/**
 * Says what keeps people from reading a PDF; undefined if nothing does.
 * @throws SERVICE_UNAVAILABLE Too many wait, or it took too long.
 */
export const findPdfProblem = (bytes: Uint8Array) =>
  pdfs.run(() => slowChild.run<PdfProblem | undefined>({ kind: 'pdf', bytes }, 'file_not_read'))

/**
 * Draws a picture again.
 * @throws SERVICE_UNAVAILABLE Too many wait, or it took too long.
 */
export const redrawPicture = (bytes: Uint8Array) =>
  pictures.run(() => slowChild.run<RedrawnPicture>({ kind: 'picture', bytes }, 'file_not_read'))
