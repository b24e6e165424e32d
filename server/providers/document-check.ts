import { refuse } from '../faults'
import { checkPdf, DownloadError, type DownloadSettings, type Network } from './download'

type Settings = DownloadSettings & { DOCUMENT_CHECK: boolean }

/** Creates the check of a document before its signing, which does nothing without `DOCUMENT_CHECK`. */
export function createDocumentCheck(settings: Settings, network?: Partial<Network>) {
  return async (url: string) => {
    if (!settings.DOCUMENT_CHECK) return
    await checkPdf(url, settings, network).catch(throwDocumentFault)
  }
}

/** @throws BAD_REQUEST The rule that the document breaks, without its address. */
export function throwDocumentFault(cause: unknown): never {
  if (!(cause instanceof DownloadError)) throw cause
  throw refuse('document_refused', { rule: cause.message }, { cause })
}
