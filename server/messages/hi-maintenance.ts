import type { Catalogue } from './catalogue'
import type { CostObstacle, maintenanceInEnglish } from './en-maintenance'

const costObstacles: Record<CostObstacle, string> = {
  books_closed: 'समझौते का हिसाब बंद हो चुका है',
  ended: 'अनुरोध समाप्त हो चुका है',
  no_lease: 'अनुरोध के समय यूनिट में कोई किरायेदार नहीं था',
}

export const maintenanceInHindi: Pick<Catalogue, keyof typeof maintenanceInEnglish> = {
  cost_charged: 'अब बदला नहीं जा सकता: खर्च किरायेदार के बकाया में दर्ज हो चुका है। उस बकाया में छूट दर्ज करें',

  cost_not_chargeable: ({ because }) =>
    `खर्च किरायेदार के बकाया में दर्ज नहीं हो सकता: ${costObstacles[because]}। borne_by में landlord दें`,
  file_not_supported: 'तस्वीर (JPEG, PNG या WebP, अधिकतम 50 मेगापिक्सेल) या पीडीएफ़ भेजें',
  too_many_attachments: ({ max }) => `मरम्मत के एक अनुरोध में अधिकतम ${max} फ़ाइलें हो सकती हैं`,

  lease_ended: 'इस यूनिट का आपका समझौता समाप्त हो चुका है: आप यह अनुरोध केवल पढ़ सकते हैं',
  not_own_attachment: 'फ़ाइल केवल वही हटा सकता है जिसने उसे जोड़ा है',
  not_request_raiser: 'यह केवल अनुरोध करने वाला कर सकता है',
  reopening_late: ({ days }) => `अनुरोध ${days} दिनों के अंदर ही फिर से खोला जा सकता है: नया अनुरोध करें`,
  request_wrong_status: ({ status, to }) =>
    to === undefined
      ? `मरम्मत का अनुरोध ${status} है, इसलिए यह नहीं हो सकता`
      : `मरम्मत का अनुरोध ${status} से ${to} नहीं हो सकता`,

  attachment_not_found: 'फ़ाइल नहीं मिली',
  request_not_found: 'मरम्मत का अनुरोध नहीं मिला',

  pictures_busy: 'अभी बहुत सारी तस्वीरें पढ़ी जा रही हैं',
}
