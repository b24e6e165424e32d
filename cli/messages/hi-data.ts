import type { Catalogue } from './index'
import type { enData } from './en-data'

export const hiData: Pick<Catalogue, keyof typeof enData> = {
  smoke_failed: ({ step }) => `${step}: नहीं हो सका`,
  smoke_passed: ({ steps }) => `सभी ${steps} चरण सफल रहे`,
  smoke_skipped: ({ steps }) => `${steps} चरण छोड़े गए`,
  smoke_step_unknown: ({ name, names }) => `--only में अज्ञात चरण है: ${name}. चरण हैं: ${names.join(', ')}`,
}
