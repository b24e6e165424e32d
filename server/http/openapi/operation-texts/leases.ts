/** The texts of the operations of properties, units, tenants and agreements. */
export const leaseTexts = {
  'GET /properties': {
    id: 'listProperties',
    description:
      'Lists the properties that the caller created or has an active unit in, page by page. Units are not ' +
      'included.',
  },
  'POST /properties': {
    id: 'createProperty',
    description:
      'Lists a property, with its first units in the same step: all or nothing. City, district and state come ' +
      'from the PIN code; send them only for a PIN code that is unknown.',
  },
  'GET /properties/search': {
    id: 'searchProperties',
    description:
      'Finds buildings that other landlords have listed, by name, PIN code and locality, so that one building is ' +
      'not listed twice. Add your unit to one of them by its UUID. No owner is shown.',
  },
  'GET /properties/{id}': {
    id: 'getProperty',
    description: 'Returns a property with those of its units that the caller owns or manages.',
  },
  'PATCH /properties/{id}': {
    id: 'updateProperty',
    description: 'Changes the fields that are sent; null clears an optional one. For its creator only.',
  },
  'DELETE /properties/{id}': {
    id: 'deleteProperty',
    description:
      "Deletes the property and the caller's units in it. 400 while one of them has a PENDING or ACTIVE " +
      'agreement. For its creator only.',
  },
  'GET /properties/{id}/units': {
    id: 'listUnits',
    description: 'Lists the units of a property that the caller owns or manages, page by page.',
  },
  'POST /properties/{id}/units': {
    id: 'createUnit',
    description: "Adds a unit to the caller's property, or to another landlord's building by its UUID.",
  },
  'GET /properties/{id}/units/{unitId}': {
    id: 'getUnit',
    description: 'Returns a unit that the caller owns or manages.',
  },
  'PATCH /properties/{id}/units/{unitId}': {
    id: 'updateUnit',
    description:
      'Changes the fields that are sent; null clears an optional one. Its manager may do so too, but not appoint ' +
      'another manager.',
  },
  'DELETE /properties/{id}/units/{unitId}': {
    id: 'deleteUnit',
    description:
      'Deletes the unit and its drafts. 400 while it has a PENDING or ACTIVE agreement. For its landlord only.',
  },
  'POST /properties/{id}/units/{unitId}/resign': {
    id: 'resignFromUnit',
    description:
      'Ends the work of the caller as manager of the unit, which its landlord manages again. For that manager only.',
  },
  'GET /tenants': {
    id: 'listTenants',
    description:
      "Lists the tenants of the caller's agreements and the people whom the caller named, page by page. Number and " +
      'names appear if the caller gave them or the tenant has signed.',
  },
  'POST /tenants': {
    id: 'createTenant',
    description:
      'Finds or creates the user with this phone number, so that an agreement can name them by `id`. It never ' +
      'changes an account: the names are those that the caller uses for them.',
  },
  'GET /agreements': {
    id: 'listAgreements',
    description:
      'Lists the agreements in which the caller is a party or the manager of the unit, page by page.',
  },
  'POST /agreements': {
    id: 'createAgreement',
    description:
      'Creates a draft for a unit that the caller owns or manages. The number is given by the server unless one ' +
      'is sent. A draft can be changed until the first party is asked to sign.',
  },
  'GET /agreements/{id}': {
    id: 'getAgreement',
    description: 'Returns an agreement of the caller.',
  },
  'PATCH /agreements/{id}': {
    id: 'updateAgreement',
    description:
      'Changes the fields of a draft that are sent; null clears an optional one. Another status than DRAFT is ' +
      '403.',
  },
  'DELETE /agreements/{id}': {
    id: 'deleteAgreement',
    description: 'Deletes a draft. Another status than DRAFT is 403.',
  },
  'GET /agreements/{id}/signatures': {
    id: 'listSignatures',
    description:
      'Returns the latest signature of each party who was asked. `allSigned` is true when every required party ' +
      "has signed: the landlord's side and all tenants.",
  },
  'GET /agreements/{id}/timeline': {
    id: 'getTimeline',
    description:
      'Returns what happened to the agreement, oldest first. Each event has a hash that covers the one before; ' +
      '`intact` is false if an event was changed or removed.',
  },
  'GET /agreements/{id}/document': {
    id: 'downloadDocument',
    description:
      'Downloads the signed PDF, once the agreement is ACTIVE. Where each party has a document of its own, ' +
      '`signature_id` chooses one.',
  },
  'GET /agreements/{id}/certificate': {
    id: 'downloadCertificate',
    description:
      'Downloads the certificate of completion: who signed what and when, with the hashes of the documents.',
  },
  'POST /agreements/{id}/sign': {
    id: 'startSigning',
    description:
      'Asks one party to sign and returns the address where they do. The first call makes a draft PENDING and ' +
      'fixes its parties. A request that is still open is returned again. The agreement becomes ACTIVE when ' +
      "the landlord's side and all tenants have signed.",
  },
  'POST /agreements/{id}/decline': {
    id: 'declineAgreement',
    description: 'Records that the caller, a party who has not signed, refuses to sign.',
  },
  'POST /agreements/{id}/signatures/{signatureId}/cancel': {
    id: 'cancelSignature',
    description:
      'Withdraws the request to one party, so that they can be asked again. The other signatures stay.',
  },
  'POST /agreements/{id}/revise': {
    id: 'reviseAgreement',
    description:
      'Ends an agreement that is being signed as TERMINATED, and creates a draft with its terms and the changes ' +
      'that are sent. `revises_agreement_id` links back.',
  },
  'POST /agreements/{id}/terminate': {
    id: 'terminateAgreement',
    description:
      'Ends a PENDING or ACTIVE agreement at once, and cancels the requests to sign that are open. ' +
      '`termination_date` is from the start of the agreement to today.',
  },
  'POST /agreements/{id}/complete': {
    id: 'completeAgreement',
    description: 'Closes a TERMINATED agreement, which can no longer be changed.',
  },
  'POST /agreements/{id}/renew': {
    id: 'renewAgreement',
    description:
      'Draws up the next term of a lease as a draft with the same terms but what the body changes. It begins on ' +
      'the day after the end, with the rent that the lease would have then: an escalation that falls on that day ' +
      'is applied. When it becomes active, the deposit that is held moves over and only the difference is ' +
      "charged. For the landlord's side only.",
  },
}
