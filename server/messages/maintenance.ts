import { MODEL_TENANCY } from '../domain/rent-law'
import type { Errors, Results, Warnings, Words } from './words'

const { entry_notice_hours } = MODEL_TENANCY

/** Why a cost cannot be charged. */
const costObstacles = {
  books_closed: ['the books of the lease are closed', 'समझौते का हिसाब बंद हो चुका है'],
  ended: ['the request has ended', 'अनुरोध समाप्त हो चुका है'],
  lease_over: ['the lease ended more than twelve months ago', 'समझौता बारह महीने से पहले समाप्त हो चुका है'],
  no_lease: ['the unit had no tenant when the request was raised', 'अनुरोध के समय यूनिट में कोई किरायेदार नहीं था'],
} satisfies Record<string, Words>

export const errors = {
  attachment_not_found: ['Attachment not found', 'फ़ाइल नहीं मिली'],
  cost_charged: [
    'cannot change: the cost was charged to the tenant. Credit part of that charge instead',
    'अब बदला नहीं जा सकता: खर्च किरायेदार के बकाया में दर्ज हो चुका है। उस बकाया में छूट दर्ज करें',
  ],
  cost_not_chargeable: ({ because }: { because: keyof typeof costObstacles }) => {
    const [english, hindi] = costObstacles[because]
    return [
      `The cost cannot be charged: ${english}. Set borne_by to landlord`,
      `खर्च किरायेदार के बकाया में दर्ज नहीं हो सकता: ${hindi}। borne_by में landlord दें`,
    ]
  },
  file_locked: ['Send a PDF that opens without a password', 'ऐसी पीडीएफ़ भेजें जो बिना पासवर्ड के खुले'],
  file_not_read: ['The file could not be read in time', 'फ़ाइल समय पर नहीं पढ़ी जा सकी'],
  file_not_supported: [
    'Send a picture (JPEG, PNG or WebP, at most 50 million pixels) or a PDF',
    'तस्वीर (JPEG, PNG या WebP, अधिकतम 50 मेगापिक्सेल) या पीडीएफ़ भेजें',
  ],
  file_not_whole: ['The file is broken or cut off: send it whole', 'फ़ाइल ख़राब या अधूरी है: पूरी फ़ाइल भेजें'],
  lease_ended: [
    'Your lease of the unit has ended: you can only read this request',
    'इस यूनिट का आपका समझौता समाप्त हो चुका है: आप यह अनुरोध केवल पढ़ सकते हैं',
  ],
  maintenance_request_not_found: ['Maintenance request not found', 'मरम्मत का अनुरोध नहीं मिला'],
  maintenance_request_wrong_status: ({ status, to }: { status: string; to?: string }) =>
    to === undefined
      ? [
          `This cannot be done with a maintenance request that is ${status}`,
          `मरम्मत का अनुरोध ${status} है, इसलिए यह नहीं हो सकता`,
        ]
      : [
          `A maintenance request that is ${status} cannot become ${to}`,
          `मरम्मत का अनुरोध ${status} से ${to} नहीं हो सकता`,
        ],
  not_own_attachment: [
    'Only the user who attached a file can delete it',
    'फ़ाइल केवल वही हटा सकता है जिसने उसे जोड़ा है',
  ],
  not_request_raiser: ['Only the user who raised the request can do this', 'यह केवल अनुरोध करने वाला कर सकता है'],
  picture_too_complex: [
    'The picture has too many layers: save it as an ordinary JPEG and send that',
    'तस्वीर में बहुत सारी परतें हैं: इसे साधारण JPEG के रूप में सहेजकर भेजें',
  ],
  pictures_busy: ['Too many pictures are being read', 'अभी बहुत सारी तस्वीरें पढ़ी जा रही हैं'],
  reopening_late: ({ days }: { days: number }) => [
    `A request can be reopened within ${days} days: raise a new one`,
    `अनुरोध ${days} दिनों के अंदर ही फिर से खोला जा सकता है: नया अनुरोध करें`,
  ],
  too_many_attachments: ({ max }: { max: number }) => [
    `A maintenance request has at most ${max} attachments`,
    `मरम्मत के एक अनुरोध में अधिकतम ${max} फ़ाइलें हो सकती हैं`,
  ],
} satisfies Errors

export const results = {
  attachment_deleted: ['The attachment was deleted', 'फ़ाइल हटा दी गई है'],
  maintenance_changed: ['The maintenance request was changed', 'मरम्मत का अनुरोध बदल दिया गया है'],
} satisfies Results

export const warnings = {
  visit_notice_short: [
    `The visit is in less than ${entry_notice_hours} hours: the Model Tenancy Act asks for so much notice of an entry, where a state has adopted it`,
    `मुलाकात ${entry_notice_hours} घंटे से कम समय में है: जिन राज्यों में मॉडल किरायेदारी अधिनियम लागू है, वहाँ घर में आने से पहले इतने समय की सूचना देनी होती है`,
  ],
} satisfies Warnings
