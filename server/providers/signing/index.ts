import type { Config } from '../../config'
import type { SigningAdapter } from './port'
import { flexiAdapter, nativeAdapter } from './setu/index'

/** The adapters by their value of `ESIGN_PROTOCOL`: a new one is a folder, a line here and its settings. */
export const signingAdapters: Record<Config['ESIGN_PROTOCOL'], SigningAdapter> = {
  flexi: flexiAdapter,
  native: nativeAdapter,
}
