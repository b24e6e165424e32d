import type { Language } from './index'

/** What questions and events call a field in Hindi, and what helps to fill it in. */
const hindi: Record<string, { name: string; hint?: string }> = {
  // People
  phone_number: { name: 'मोबाइल नंबर', hint: 'भारत का मोबाइल नंबर, जैसे +91 98765 43210' },
  phone: { name: 'मोबाइल नंबर', hint: 'सिर्फ़ इस नंबर के मैसेज' },
  otp: { name: 'ओटीपी', hint: 'आपको भेजा गया ओटीपी' },
  first_name: { name: 'पहला नाम' },
  last_name: { name: 'उपनाम' },
  email: { name: 'ईमेल' },
  pan: { name: 'पैन', hint: 'साल के ₹1,00,000 से ज़्यादा किराए की रसीद और प्रमाण के लिए' },
  role: { name: 'भूमिका' },

  // Properties and units
  pin_code: { name: 'पिन कोड', hint: 'छह अंक' },
  property_type: { name: 'प्रॉपर्टी का प्रकार' },
  name: { name: 'नाम', hint: 'बिल्डिंग या सोसायटी का नाम' },
  society_building: { name: 'सोसायटी या बिल्डिंग', hint: 'बिल्डिंग या सोसायटी का नाम' },
  alias_name: { name: 'आपका दिया नाम', hint: 'आप इसे किस नाम से पहचानते हैं' },
  survey_number: { name: 'सर्वे नंबर' },
  road_name: { name: 'सड़क का नाम' },
  locality: { name: 'इलाका' },
  landmark: { name: 'पास की पहचान' },
  city: { name: 'शहर', hint: 'सिर्फ़ तब, जब पिन कोड सूची में न हो' },
  district: { name: 'ज़िला', hint: 'सिर्फ़ तब, जब पिन कोड सूची में न हो' },
  state: { name: 'राज्य', hint: 'सिर्फ़ तब, जब पिन कोड सूची में न हो' },
  country: { name: 'देश' },
  common_amenities: { name: 'साझा सुविधाएँ' },
  unit_name: { name: 'यूनिट का नाम', hint: 'जैसे A-101' },
  room_type: { name: 'कमरों का प्रकार' },
  furnishing_type: { name: 'फ़र्निशिंग' },
  furniture_included: { name: 'साथ मिलने वाला फ़र्नीचर' },
  area_sqft: { name: 'क्षेत्रफल', hint: 'वर्ग फ़ुट' },
  floor_number: { name: 'मंज़िल' },
  is_available: { name: 'किराए पर उपलब्ध', hint: 'क्या यह किराए पर दी जा सकती है' },
  unit_notes: { name: 'यूनिट के बारे में टिप्पणी' },
  unit_amenities: { name: 'यूनिट की सुविधाएँ' },
  managed_by_id: { name: 'मैनेजर', hint: 'मैनेजर का फ़ोन नंबर, नाम या यूज़र आईडी' },

  // Agreements
  property_unit_id: { name: 'यूनिट', hint: 'आईडी, या प्रॉपर्टी और यूनिट का नाम, जैसे "White House/A-101"' },
  tenant_ids: { name: 'किरायेदार', hint: 'किरायेदार का फ़ोन नंबर, नाम या यूज़र आईडी' },
  document_url: { name: 'दस्तावेज़ का पता', hint: 'समझौते के PDF का पता' },
  agreement_start_date: { name: 'समझौते की शुरुआत', hint: 'YYYY-MM-DD' },
  tenure_in_months: { name: 'अवधि (महीने)' },
  rent_amount: { name: 'किराया', hint: 'रुपये, हर महीने' },
  deposit_amount: { name: 'डिपॉज़िट', hint: 'रुपये' },
  rent_due_day: { name: 'किराया देने का दिन', hint: '1 से 31' },
  notice_period_days: { name: 'नोटिस की अवधि (दिन)' },
  agreement_number: { name: 'समझौते का नंबर' },
  auto_renew: { name: 'अपने आप नवीनीकरण' },
  amenities: { name: 'सुविधाएँ' },
  pets_allowed: { name: 'पालतू जानवर की अनुमति' },
  non_veg_allowed: { name: 'मांसाहार की अनुमति' },
  smoking_allowed: { name: 'धूम्रपान की अनुमति' },
  bachelor_allowed: { name: 'अविवाहितों को अनुमति' },
  additional_policies: { name: 'अन्य नियम' },
  improvements: { name: 'सुधार के काम' },
  payment_terms: { name: 'भुगतान की शर्तें' },
  late_fee: { name: 'देरी का शुल्क', hint: 'रुपये' },
  signing_order: { name: 'हस्ताक्षर का क्रम', hint: 'अगले हस्ताक्षरकर्ता का फ़ोन नंबर, नाम या यूज़र आईडी' },
  billing_cycle: { name: 'बिलिंग का चक्र' },
  rent_in: { name: 'किराया पहले या बाद में' },
  rent_rounding: { name: 'किराए की पूर्णांकन इकाई', hint: 'रुपये: 0.01, 1 या 10' },
  late_fee_kind: { name: 'देरी के शुल्क का प्रकार' },
  late_fee_percent: { name: 'देरी के शुल्क की दर', hint: 'प्रतिशत, सालाना' },
  late_fee_grace_days: { name: 'देरी की छूट (दिन)', hint: 'इतने दिन देरी का शुल्क नहीं लगता' },
  late_fee_cap: { name: 'देरी के शुल्क की सीमा', hint: 'ज़्यादा से ज़्यादा रुपये' },
  escalation_percent: { name: 'किराए में बढ़ोतरी', hint: 'कितने प्रतिशत किराया बढ़ता है' },
  escalation_every_months: { name: 'बढ़ोतरी का अंतराल (महीने)', hint: 'दो बढ़ोतरी के बीच के महीने' },
  recurring_charges: {
    name: 'हर किराए के साथ के चार्ज',
    hint: 'जैसे "maintenance:2500:Society maintenance"',
  },
  termination_date: { name: 'समाप्ति की तारीख', hint: 'YYYY-MM-DD, समझौते की शुरुआत से आज तक' },
  reason: { name: 'कारण', hint: 'यह दूसरे पक्षों को दिखता है' },
  signer_id: { name: 'हस्ताक्षरकर्ता', hint: 'पक्ष का फ़ोन नंबर, नाम या यूज़र आईडी; न देने पर आप' },
  signature_id: { name: 'हस्ताक्षर', hint: 'आईडी, UUID या हस्ताक्षरकर्ता का फ़ोन नंबर; न देने पर सबसे नया' },

  // Charges and payments
  charge_type: { name: 'चार्ज का प्रकार' },
  amount: { name: 'रकम', hint: 'रुपये' },
  due_date: { name: 'देय तारीख', hint: 'YYYY-MM-DD' },
  description: { name: 'विवरण', hint: 'न देने पर चार्ज का प्रकार' },
  period_start: { name: 'अवधि की शुरुआत', hint: 'YYYY-MM-DD' },
  period_end: { name: 'अवधि का अंत', hint: 'YYYY-MM-DD' },
  credit_reason: { name: 'छूट का कारण' },
  method: { name: 'भुगतान का तरीका' },
  payer_id: { name: 'भुगतान करने वाला', hint: 'किरायेदार का फ़ोन नंबर, नाम या यूज़र आईडी' },
  tds_amount: { name: 'टीडीएस', hint: 'किरायेदार के काटे हुए कर के रुपये' },
  tds_certificate_number: { name: 'टीडीएस प्रमाणपत्र का नंबर', hint: 'जैसे फ़ॉर्म 16C का नंबर' },
  reference: { name: 'संदर्भ', hint: 'ट्रांसफ़र का UTR या चेक का नंबर' },
  paid_on: { name: 'भुगतान की तारीख', hint: 'YYYY-MM-DD; न देने पर आज' },
  cheque_date: { name: 'चेक की तारीख', hint: 'YYYY-MM-DD' },
  allocations: { name: 'किन चार्ज के लिए', hint: 'चार्ज और रुपये, जैसे 31:5000' },
  allow_duplicate: { name: 'दोहराव की अनुमति', hint: 'क्या किसी और भुगतान का यही संदर्भ हो सकता है' },
  cleared_on: { name: 'चेक पास होने की तारीख', hint: 'YYYY-MM-DD; न देने पर आज' },
  charge_amount: { name: 'चेक बाउंस का शुल्क', hint: 'रुपये, जो आप इसके लिए लेते हैं' },
  deductions: { name: 'कटौतियाँ', hint: 'प्रकार, रुपये और विवरण, जैसे "damage:12000:Painting"' },
  refund_method: { name: 'वापसी का तरीका' },
  rent_effective_on: { name: 'नया किराया कब से', hint: 'YYYY-MM-DD, समझौते के भीतर' },
  settlement_id: { name: 'प्रस्ताव', hint: 'जिस प्रस्ताव की बात है, अगर वह बदला गया हो' },
  year: { name: 'साल', hint: 'अप्रैल से मार्च, जैसे 2026-27' },
  month: { name: 'महीना', hint: 'YYYY-MM; न देने पर यह महीना' },
  landlord_pan: {
    name: 'मकान मालिक का PAN',
    hint: 'क्या किरायेदार को PAN पता है; न देने पर, क्या मकान मालिक की प्रोफ़ाइल में PAN है',
  },
  refunded_on: { name: 'वापसी की तारीख', hint: 'YYYY-MM-DD; न देने पर आज' },

  // Lists
  agreement_id: { name: 'समझौता', hint: 'आईडी या समझौते का नंबर' },
  pending: { name: 'बकाया', hint: 'आज या पहले देय, और अभी बाकी' },
  from: { name: 'कब से', hint: 'YYYY-MM-DD, पहला दिन' },
  to: { name: 'कब तक', hint: 'YYYY-MM-DD, आख़िरी दिन' },
  page: { name: 'पेज', hint: 'पेज नंबर' },
  limit: { name: 'एक पेज पर कितने', hint: 'ज़्यादा से ज़्यादा 100' },
  sort: { name: 'क्रम', hint: 'जिस फ़ील्ड के क्रम में दिखाना है; आगे - लगाने पर उल्टा क्रम' },
  q: { name: 'खोज', hint: 'खोजने के शब्द' },
  status: { name: 'स्थिति' },
  webhook_state: { name: 'स्थिति' },
  request_id: { name: 'अनुरोध की आईडी', hint: 'सेवा देने वाले की दी हुई आईडी' },

  // Faults of the sandbox
  on: { name: 'किस कॉल पर', hint: 'न देने पर हर उस कॉल पर, जिस पर यह लागू हो' },
  times: { name: 'कितनी बार', hint: 'न देने पर 1' },
  error_status: { name: 'गड़बड़ी का HTTP स्टेटस', hint: 'न देने पर 500' },
  retry_after_s: { name: 'कितने सेकंड बाद फिर', hint: 'गड़बड़ी के Retry-After हेडर के सेकंड' },
  match: { name: 'किसके लिए', hint: 'सिर्फ़ इस फ़ोन नंबर, दस्तावेज़ या अनुरोध के लिए' },
}

const english: Record<string, string> = {
  otp: 'one-time password',
  error_status: 'status',
  webhook_state: 'state',
}

/** Returns what people call a field of the API. */
export function toFieldName(field: string, language: Language) {
  const translated = language === 'hi' ? hindi[field]?.name : english[field]
  return translated ?? field.replaceAll('_', ' ')
}

/** Returns what helps to fill in a field; the help text of its flag is English. */
export const toFieldHint = (field: string, help: string | undefined, language: Language) =>
  help && language === 'hi' ? (hindi[field]?.hint ?? help) : help
