import type { Errors, Results } from './words'

export const errors = {
  lease_is_fixed: ({ status }: { status: string }) => [
    `must be as in the lease, which is ${status}: only names and notes change`,
    `वही होना चाहिए जो समझौते में है, जिसकी स्थिति ${status} है: केवल नाम और नोट बदलते हैं`,
  ],
  lease_unknown: ['must name a lease of yours', 'में अपने किसी समझौते का नाम दें'],
  lease_without_books: ({ status }: { status: string }) => [
    `must name a lease that is or was ACTIVE; this one is ${status}`,
    `में ऐसा समझौता दें जो सक्रिय (ACTIVE) है या था; इसकी स्थिति ${status} है`,
  ],
  name_of_several: ['must not be the name of several', 'ऐसा नाम न हो जो कई का है'],
  not_landlord: [
    'Only a landlord can import; you manage for others',
    'आयात केवल मकान मालिक कर सकता है; आप दूसरों के मैनेजर हैं',
  ],
  opening_required: ({ date }: { date: string }) => [
    `is required: the lease began before ${date}`,
    `देना ज़रूरी है: समझौता ${date} से पहले शुरू हुआ है`,
  ],
  party_as_tenant: [
    "must not be the landlord's or the manager's own number",
    'मकान मालिक या मैनेजर का अपना नंबर नहीं हो सकता',
  ],
  payer_phone_not_tenant: [
    'must be the number of a tenant of the lease; it is needed if there are several',
    'में समझौते के किसी किरायेदार का नंबर दें; कई किरायेदार हों तो यह ज़रूरी है',
  ],
  payment_in_opening: ({ date }: { date: string }) => [
    `must be after ${date}: what was paid until then is in the opening of the lease`,
    `में ${date} के बाद की तारीख दें: उस दिन तक का भुगतान समझौते के शुरुआती हिसाब में है`,
  ],
  payment_is_fixed: [
    'must be as in the payment that was imported before',
    'वही होना चाहिए जो पहले आयात किए गए भुगतान में है',
  ],
  repeated_in_import: ['must not be given twice', 'दो बार नहीं दिया जा सकता'],
  too_many_people: [
    'You have named too many people today; try again later',
    'आपने आज बहुत ज़्यादा लोगों के नाम दिए हैं; बाद में फिर कोशिश करें',
  ],
  unit_is_let: ['must be a unit that is free for the whole term', 'में ऐसी यूनिट दें जो पूरी अवधि में खाली हो'],
} satisfies Errors

export const results = {
  leases_imported: ['The leases were checked and imported', 'समझौतों की जाँच और आयात हो गया है'],
  payments_imported: ['The payments were checked and imported', 'भुगतानों की जाँच और आयात हो गया है'],
} satisfies Results
