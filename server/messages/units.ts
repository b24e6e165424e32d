import type { Errors, Results } from './words'

export const errors = {
  manager_not_nameable: ({ id, parties }: { id: number; parties: 'any' | 'named' }) =>
    parties === 'any'
      ? [`must be the id of an active user; ${id} is not`, `में किसी सक्रिय यूज़र की आईडी दें; ${id} ऐसी नहीं है`]
      : [
          `must be the id of a user whom you have named by phone number with POST /tenants; ${id} is not`,
          `में उस यूज़र की आईडी दें जिसे आपने POST /tenants से फ़ोन नंबर देकर जोड़ा है; ${id} ऐसी नहीं है`,
        ],
  not_unit_landlord: ({ to }: { to: 'appoint' | 'delete' }) =>
    to === 'delete'
      ? ['Only the landlord can delete a unit', 'यूनिट को केवल मकान मालिक हटा सकता है']
      : ['Only the landlord can appoint the manager of a unit', 'यूनिट का मैनेजर केवल मकान मालिक तय कर सकता है'],
  not_unit_manager: [
    'Only the manager of a unit can resign from it',
    'यूनिट की ज़िम्मेदारी केवल उसका मैनेजर छोड़ सकता है',
  ],
  tenant_as_manager: ({ id, agreement }: { id: number; agreement: string }) => [
    `must not be the id of a tenant: the agreement ${agreement} names ${id}`,
    `में किरायेदार की आईडी नहीं हो सकती: समझौता ${agreement} में ${id} किरायेदार हैं`,
  ],
  unit_not_found: ['Property unit not found', 'यूनिट नहीं मिली'],
  units_in_use: ({ of }: { of: 'property' | 'unit' }) => [
    `The ${of} has agreements that are pending or active; terminate them first`,
    `${of === 'unit' ? 'इस यूनिट' : 'इस प्रॉपर्टी'} के समझौते लंबित या चालू हैं; पहले उन्हें समाप्त करें`,
  ],
} satisfies Errors

export const results = {
  unit_deleted: ['The unit was deleted', 'यूनिट हटा दी गई है'],
  unit_resigned: ['You no longer manage the unit', 'अब आप इस यूनिट के मैनेजर नहीं हैं'],
} satisfies Results
