import type { Errors, Results } from './words'

export const errors = {
  annual_too_long: ({ max }: { max: number }) => [
    `must be json: a PDF has at most ${max} lines`,
    `में json दें: PDF में अधिकतम ${max} पंक्तियाँ होती हैं`,
  ],
  books_not_open: ({ status }: { status: string }) => [
    `The agreement is ${status}: it has books once it is ACTIVE`,
    `समझौता ${status} है: खाते ACTIVE होने पर खुलते हैं`,
  ],
  not_tenant: ['Only a tenant of the agreement can do this', 'यह केवल समझौते का किरायेदार कर सकता है'],
  statement_too_long: ({ max }: { max: number }) => [
    `must be later: a PDF has at most ${max} lines; choose a shorter period`,
    `में बाद की तारीख दें: PDF में अधिकतम ${max} पंक्तियाँ होती हैं; छोटी अवधि चुनें`,
  ],
  to_before_from: ({ from }: { from: string }) => [
    `must not be before from (${from})`,
    `में from (${from}) से पहले की तारीख नहीं हो सकती`,
  ],
  too_many_postings: [
    'Too much was posted to this lease in a day; wait before posting more',
    'इस समझौते के खाते में एक दिन में बहुत कुछ दर्ज किया जा चुका है; और दर्ज करने से पहले प्रतीक्षा करें',
  ],
  year_and_dates: ['must be left out where from or to is given', 'को from या to के साथ न दें'],
} satisfies Errors

export const results = {
  annual_books: ['Books of the year', 'साल का हिसाब'],
  arrears: ['Arrears', 'पुराना बकाया'],
  book_summary: ['Books', 'हिसाब'],
  expiring_leases: ['Leases that end soon', 'जल्द समाप्त होने वाले समझौते'],
  rent_roll: ['Rent roll', 'किराया सूची'],
  statement: ['Statement', 'खाता विवरण'],
} satisfies Results
