/** Whom and what documents name, in several scripts. */
export const parties = {
  agreement_number: 'AGR-2026-000001',
  agreement_id: '5b1c8a52-9d55-4a53-9c61-0f6d2b7a2222',
  landlord_id: 1,
  recorded: null,
  objections: [],
  landlord: 'आशा कुलकर्णी',
  tenants: [{ id: 1, name: 'முருகன் சுப்பிரமணியன்' }],
  unit_name: 'फ़्लैट 12',
  address: 'शांति कुंज, அண்ணா சாலை, Chennai, Tamil Nadu 600002, India',
}
