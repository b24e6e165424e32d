const costObstacles = {
  books_closed: 'the books of the lease are closed',
  ended: 'the request has ended',
  no_lease: 'the unit had no tenant when the request was raised',
}
export type CostObstacle = keyof typeof costObstacles

/** What may be wrong with a maintenance request; the sentences of the first group follow the name of a field. */
export const maintenanceInEnglish = {
  cost_charged: 'cannot change: the cost was charged to the tenant. Credit a part of that charge instead',

  cost_not_chargeable: ({ because }: { because: CostObstacle }) =>
    `The cost cannot be charged: ${costObstacles[because]}. Set borne_by to landlord`,
  file_not_supported: 'Send a picture (JPEG, PNG or WebP, at most 50 million pixels) or a PDF',
  too_many_attachments: ({ max }: { max: number }) => `A maintenance request has at most ${max} attachments`,

  lease_ended: 'Your lease of the unit has ended: you can only read this request',
  not_own_attachment: 'Only the user who attached a file can delete it',
  not_request_raiser: 'Only the user who raised the request can do this',
  reopening_late: ({ days }: { days: number }) =>
    `A request can be reopened within ${days} days: raise a new one`,
  request_wrong_status: ({ status, to }: { status: string; to?: string }) =>
    to === undefined
      ? `This cannot be done with a maintenance request that is ${status}`
      : `A maintenance request that is ${status} cannot become ${to}`,

  attachment_not_found: 'Attachment not found',
  request_not_found: 'Maintenance request not found',

  pictures_busy: 'Too many pictures are being read',
}
