import { list, type Errors, type Results } from './words'

export const errors = {
  agreements_open: ({ agreements }: { agreements: string[] }) => [
    `Terminate these agreements first: ${list(agreements)}`,
    `पहले ये समझौते समाप्त करें: ${list(agreements)}`,
  ],
  certificate_not_stored: ({ agreements }: { agreements: string[] }) => [
    `The certificates of these agreements are being stored; try again in a few minutes: ${list(agreements)}`,
    `इन समझौतों के प्रमाणपत्र सहेजे जा रहे हैं; कुछ मिनट बाद फिर कोशिश करें: ${list(agreements)}`,
  ],
  deposit_held: ({ agreements }: { agreements: string[] }) => [
    `Settle the deposits of these agreements first: ${list(agreements)}`,
    `पहले इन समझौतों की जमा राशि का हिसाब करें: ${list(agreements)}`,
  ],
  erasure_contended: ['Too much is changing at once', 'एक साथ बहुत से बदलाव हो रहे हैं'],
  export_in_progress: [
    'An export of yours has not ended: try again when it has',
    'आपका एक निर्यात अभी पूरा नहीं हुआ है: उसके बाद फिर कोशिश करें',
  ],
} satisfies Errors

export const results = {
  account_erased: ['Your account and your data were erased', 'आपका खाता और आपका डेटा मिटा दिया गया है'],
} satisfies Results
