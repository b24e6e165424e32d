import type { Errors, Results } from './words'

export const errors = {
  address_in_use: [
    'Other landlords have units in this building: its address cannot be changed',
    'इस इमारत में दूसरे मकान मालिकों की यूनिट हैं: इसका पता नहीं बदला जा सकता',
  ],
  not_property_creator: [
    'Only its creator can change or delete a property',
    'प्रॉपर्टी को केवल उसे जोड़ने वाला बदल या हटा सकता है',
  ],
  pin_code_unknown: ({ pin_code }: { pin_code: number }) => [
    `is required: the PIN code ${pin_code} is not known`,
    `देना ज़रूरी है: पिन कोड ${pin_code} हमारी सूची में नहीं है`,
  ],
  property_not_found: ['Property not found', 'प्रॉपर्टी नहीं मिली'],
  property_uuid_required: [
    'Only landlords of this property can add units by its number; use its UUID',
    'नंबर से यूनिट केवल इस प्रॉपर्टी के मकान मालिक जोड़ सकते हैं; आप प्रॉपर्टी का UUID इस्तेमाल करें',
  ],
} satisfies Errors

export const results = {
  property_deleted: ['The property was deleted', 'प्रॉपर्टी हटा दी गई है'],
} satisfies Results
