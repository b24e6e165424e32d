import type { Catalogue } from './index'
import type { enData } from './en-data'

export const hiData: Pick<Catalogue, keyof typeof enData> = {
  smoke_failed: ({ step }) => `${step}: नहीं हो सका`,
  smoke_passed: ({ steps }) => `सभी ${steps} चरण सफल रहे`,
  smoke_skipped: ({ steps }) => `${steps} चरण छोड़े गए`,
  smoke_step_unknown: ({ name, names }) => `--only में अज्ञात चरण है: ${name}. चरण हैं: ${names}`,
  progress: ({ done, total, unit, rate }) => `${total} में से ${done} ${unit}, ${rate} प्रति सेकंड`,
  next_seeded: ({ phone, otp }) => `आगे: kiraya login --phone ${phone} --otp ${otp}`,
  seed_production: ({ url }) => `क्या आप ${url} पर नमूना डेटा बनाना चाहते हैं, जो प्रोडक्शन हो सकता है`,
  seed_without_sandbox: 'इस सर्वर पर सैंडबॉक्स नहीं है, इसलिए ज्ञात ओटीपी से कोई साइन इन नहीं कर सकता',
}
