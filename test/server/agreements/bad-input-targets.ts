import { agreementTerms, freshPhone } from '../../support/users'

/** The records that the paths and bodies name. */
export type RecordIds = { property: number; unit: number; agreement: number; signer: number }

/** A route with the fields of its body. */
export type Target = {
  name: string
  method: string
  path: (ids: RecordIds) => string
  body: (ids: RecordIds) => Record<string, unknown>
  fields: string[]
}

const newProperty = () => ({ pin_code: 560048, property_type: 'pg', property_units: [{ unit_name: 'x' }] })

const texts = [
  'society_building',
  'survey_number',
  'road_name',
  'locality',
  'landmark',
  'district',
  'city',
  'state',
  'country',
  'alias_name',
  'common_amenities',
]

const unitFields = [
  'unit_name',
  'managed_by_id',
  'room_type',
  'furnishing_type',
  'furniture_included',
  'area_sqft',
  'floor_number',
  'is_available',
  'unit_notes',
  'unit_amenities',
]

const agreementFields = [
  ...Object.keys(agreementTerms(1, [1])),
  'agreement_number',
  'auto_renew',
  'amenities',
  'pets_allowed',
  'additional_policies',
  'improvements',
  'payment_terms',
  'late_fee',
  'billing_cycle',
  'rent_in',
  'rent_rounding',
  'late_fee_kind',
  'late_fee_percent',
  'late_fee_grace_days',
  'late_fee_cap',
  'escalation_percent',
  'escalation_every_months',
  'recurring_charges',
]

export const targets: Target[] = [
  {
    name: 'POST /properties',
    method: 'POST',
    path: () => '/properties',
    body: newProperty,
    fields: ['pin_code', 'property_type', 'property_units', ...texts],
  },
  {
    name: 'PATCH /properties/:id',
    method: 'PATCH',
    path: ids => `/properties/${ids.property}`,
    body: () => ({}),
    fields: ['pin_code', 'property_type', ...texts],
  },
  {
    name: 'POST /properties/:id/units',
    method: 'POST',
    path: ids => `/properties/${ids.property}/units`,
    body: () => ({ unit_name: 'x' }),
    fields: unitFields,
  },
  {
    name: 'PATCH /properties/:id/units/:unitId',
    method: 'PATCH',
    path: ids => `/properties/${ids.property}/units/${ids.unit}`,
    body: () => ({}),
    fields: unitFields,
  },
  {
    name: 'POST /tenants',
    method: 'POST',
    path: () => '/tenants',
    body: () => ({ phone_number: freshPhone() }),
    fields: ['phone_number', 'first_name', 'last_name', 'role'],
  },
  {
    name: 'POST /agreements',
    method: 'POST',
    path: () => '/agreements',
    body: ids => agreementTerms(ids.unit, [ids.signer]),
    fields: agreementFields,
  },
  {
    name: 'PATCH /agreements/:id',
    method: 'PATCH',
    path: ids => `/agreements/${ids.agreement}`,
    body: () => ({}),
    fields: agreementFields,
  },
  {
    name: 'POST /agreements/:id/sign',
    method: 'POST',
    path: ids => `/agreements/${ids.agreement}/sign`,
    body: () => ({}),
    fields: ['signer_id', 'flexi_options'],
  },
  {
    name: 'POST /agreements/:id/decline',
    method: 'POST',
    path: ids => `/agreements/${ids.agreement}/decline`,
    body: () => ({}),
    fields: ['reason'],
  },
  {
    name: 'POST /agreements/:id/terminate',
    method: 'POST',
    path: ids => `/agreements/${ids.agreement}/terminate`,
    body: () => ({}),
    fields: ['termination_date', 'reason'],
  },
  {
    name: 'POST /agreements/:id/complete',
    method: 'POST',
    path: ids => `/agreements/${ids.agreement}/complete`,
    body: () => ({}),
    fields: ['x'],
  },
]
