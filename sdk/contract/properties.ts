import { Type, type Static } from '@sinclair/typebox'
import {
  computed,
  defaulted,
  described,
  field,
  formattedText,
  list,
  maybe,
  nullable,
  optional,
  page,
  pageQuery,
  patch,
  record,
  SearchText,
  stringEnum,
  text,
  Texts,
  Timestamp,
  view,
} from './common.ts'
import { NewUnit, Unit } from './units.ts'

export const PropertyType = field(
  stringEnum('apartment', 'gated_community_villa', 'independent_house', 'commercial', 'pg'),
  'The kind of a property; `pg` is paying-guest accommodation.',
)
export type PropertyType = Static<typeof PropertyType>
export const PinCode = Type.Integer({
  minimum: 100_000,
  maximum: 999_999,
  description: 'a PIN code: a number of six digits that does not start with 0',
})

/** What everyone may see of a building. */
const building = {
  pin_code: field(PinCode, 'Six digits; city, district and state come from it'),
  property_type: field(PropertyType, 'The kind of property'),
  society_building: optional(text(255), 'The name of the society or building'),
  survey_number: optional(text(255), 'The number in the land register'),
  road_name: optional(text(255), 'The road'),
  locality: optional(text(255), 'The locality within the city'),
  landmark: optional(text(255), 'A landmark nearby'),
  country: defaulted(text(255), 'India', 'The country'),
}
const place = {
  city: optional(text(255), 'At creation it counts only if the PIN code is unknown; a change corrects it'),
  district: optional(
    text(255),
    'At creation it counts only if the PIN code is unknown; a change corrects it',
  ),
  state: optional(text(255), 'Counts only if the PIN code is unknown'),
}
const fields = {
  ...building,
  ...place,
  alias_name: optional(text(255), "The landlord's own name for it; by default that of the building"),
  common_amenities: optional(Texts, 'What all units share'),
}

const Units = list(NewUnit, 100, 'units')
export const NewProperty = described(
  'City, district and state come from the PIN code; these fields count only if it is unknown.',
  { ...fields, property_units: optional(Units, 'Units to create with it') },
)
export type NewProperty = Static<typeof NewProperty>

export const PropertyChange = described(
  'The fields of a property to change. A changed PIN code looks up what of city and district is not sent; the state ' +
    'follows it.',
  patch(fields),
)
export type PropertyChange = Static<typeof PropertyChange>

const placeView = {
  city: field(Type.String(), 'The city, from the PIN code or corrected'),
  district: field(Type.String(), 'The district, from the PIN code or corrected'),
  state: field(Type.String(), 'The state, from the PIN code'),
}

export const Property = record(
  'property_id',
  "A building or house. `landlord_id` is its creator's; for other landlords it is null, and `alias_name` is the " +
    'default one.',
  {
    ...view(building),
    ...placeView,
    alias_name: computed(Type.String(), "The creator's own name for it; the default one for other landlords"),
    common_amenities: view(fields).common_amenities,
    property_approved: field(Type.Boolean(), 'Whether an administrator has approved it'),
    property_approved_at: field(nullable(Timestamp), 'When an administrator approved it'),
    property_approved_by: field(nullable(Type.Integer()), 'Who approved it'),
    landlord_id: computed(nullable(Type.Integer()), "The creator's number; null for other landlords"),
  },
)
export type Property = Static<typeof Property>

export const PropertyWithUnits = described('A property with the units that the caller may see.', {
  ...Property.properties,
  property_units: computed(Type.Array(Unit), 'The units that the caller may see'),
})
export type PropertyWithUnits = Static<typeof PropertyWithUnits>

export const PropertyPage = page(Property)
export const PropertyQuery = described('Which properties to list.', {
  ...pageQuery(['id', 'alias_name', 'city', 'pin_code', 'created_at', 'updated_at'], '-id'),
  q: SearchText,
  property_type: maybe(PropertyType, 'Only this kind'),
  pin_code: maybe(PinCode, 'Only this PIN code'),
})
export type PropertyQuery = Static<typeof PropertyQuery>

export const PropertySearch = described('A building to look for.', {
  name: field(
    formattedText(
      'text',
      { maxLength: 255 },
      'the name of a society or building, text of 1 to 255 characters',
    ),
    'The name of a society or building; it may be misspelt',
  ),
  pin_code: field(PinCode, 'Six digits'),
  locality: maybe(text(255), 'The locality within the city'),
})
export type PropertySearch = Static<typeof PropertySearch>

export const PropertyCandidate = described(
  'A building that matches a search. `score` runs from 0 to 1. It reveals no owner.',
  {
    property_id: field(Type.String(), "The building's UUID"),
    ...view(building),
    ...placeView,
    score: computed(Type.Number(), 'How well the name matches, from 0 to 1'),
  },
)
export type PropertyCandidate = Static<typeof PropertyCandidate>
export const PropertyCandidates = page(PropertyCandidate)
