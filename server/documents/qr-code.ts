import { renderSVG } from 'uqr'

/** Renders a QR code as SVG. A quarter of the modules may be lost to folds and stains. */
export const renderQrCode = (text: string) => renderSVG(text, { ecc: 'Q', border: 0 })
