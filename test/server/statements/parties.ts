const premises = {
  unit_name: 'फ़्लैट 12',
  alias_name: 'Shanti Kunj',
  society_building: 'शांति कुंज',
  survey_number: null,
  road_name: 'அண்ணா சாலை',
  locality: null,
  landmark: null,
  city: 'Chennai',
  district: 'Chennai',
  state: 'Tamil Nadu',
  pin_code: 600002,
  country: 'India',
}

/** Whom and what documents name, in several scripts. */
export const parties = {
  agreement_number: 'AGR-2026-000001',
  agreement_id: '5b1c8a52-9d55-4a53-9c61-0f6d2b7a2222',
  landlord_id: 1,
  landlord: 'आशा कुलकर्णी',
  tenants: [{ id: 1, name: 'முருகன் சுப்பிரமணியன்' }],
  premises,
}
