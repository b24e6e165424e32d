import { wholeRequest } from './violations'
import type { Words } from './words'

// What people call the fields of inputs. English follows from the name, unless it stands before the Hindi label.

const LABELS = `
first_name: पहला नाम, last_name: उपनाम, name: नाम, email: ईमेल, phone: फ़ोन नंबर, phone_number: फ़ोन नंबर,
otp: One-time password = ओटीपी, password: पासवर्ड, current_password: मौजूदा पासवर्ड, pan: पैन, role: भूमिका,
landlord_pan: मकान मालिक का पैन, verification_id: सत्यापन, all: All sessions = सभी सत्र, language: भाषा,
pin_code: पिन कोड, property_type: प्रॉपर्टी का प्रकार, society_building: Society or building = सोसाइटी या इमारत,
survey_number: सर्वे नंबर, road_name: सड़क का नाम, locality: इलाका, landmark: पहचान का स्थान, country: देश, city: शहर,
district: ज़िला, state: राज्य, alias_name: बुलाने का नाम, common_amenities: साझा सुविधाएँ, property_units: Units = यूनिट,
unit_name: यूनिट का नाम, room_type: कमरों का प्रकार, furnishing_type: फ़र्निशिंग का प्रकार, furniture_included: शामिल फ़र्नीचर,
area_sqft: Area in square feet = क्षेत्रफल (वर्ग फ़ुट), floor_number: मंज़िल, is_available: उपलब्धता, unit_notes: यूनिट के नोट,
unit_amenities: यूनिट की सुविधाएँ, managed_by_id: Manager = मैनेजर, property_unit_id: Unit = यूनिट,
document_url: दस्तावेज़ का पता, document: दस्तावेज़, template: टेम्पलेट, clauses: अन्य शर्तें, agreement_start_date: समझौते की शुरुआत, tenure_in_months: अवधि (महीने), rent_amount: किराया,
rent_due_day: किराये की तारीख, notice_period_days: Notice period in days = नोटिस की अवधि (दिन), tenant_ids: किरायेदार,
agreement_number: समझौता नंबर, deposit_amount: जमा राशि, auto_renew: Automatic renewal = अपने आप नवीनीकरण, amenities: सुविधाएँ,
pets_allowed: पालतू जानवर, non_veg_allowed: Non-vegetarian food allowed = मांसाहारी भोजन, smoking_allowed: धूम्रपान,
bachelor_allowed: Bachelors allowed = अविवाहित किरायेदार, additional_policies: अन्य नियम, improvements: सुधार कार्य,
payment_terms: भुगतान की शर्तें, late_fee: विलंब शुल्क, late_fee_kind: विलंब शुल्क का प्रकार, late_fee_percent: विलंब शुल्क का प्रतिशत,
late_fee_grace_days: विलंब शुल्क से छूट के दिन, late_fee_cap: विलंब शुल्क की सीमा, billing_cycle: बिल की अवधि,
rent_in: Rent in advance or arrears = किराया पहले या बाद में, rent_rounding: Rounding of the rent = किराये का पूर्णांकन,
escalation_percent: बढ़ोतरी का प्रतिशत, escalation_every_months: Months between escalations = बढ़ोतरी के बीच के महीने,
recurring_charges: नियमित शुल्क, signing_order: हस्ताक्षर का क्रम,
opening: शुरुआती हिसाब, settled_until: कब तक चुकता, owed: बकाया रकम, advance: अग्रिम, deposit_held: रखी हुई जमा राशि,
internal_notes: आंतरिक नोट, external_ref: आपका संदर्भ, rows: पंक्तियाँ, property: प्रॉपर्टी, unit: यूनिट,
manager_phone: मैनेजर का फ़ोन नंबर, tenants: किरायेदार, terms: शर्तें, paper: काग़ज़ी हस्ताक्षर, dry_run: Trial run = केवल जाँच,
notify: Tell the tenants = किरायेदारों को बताना, lease: समझौता, payer_phone: भुगतान करने वाले का फ़ोन नंबर,
signed_on: हस्ताक्षर की तारीख,
registration_number: पंजीकरण नंबर, stamp_number: स्टांप नंबर, void: Void the lease = समझौता रद्द करना, termination_date: समाप्ति की तारीख, signer_id: हस्ताक्षरकर्ता,
signature_id: हस्ताक्षर, agreement_id: समझौता, settlement_id: हिसाब, accepted_on_paper: काग़ज़ पर मंज़ूरी, on: तारीख, unanswered: बिना जवाब, charge_id: बकाया, request_id: अनुरोध,
flexi_options: हस्ताक्षर के विकल्प, template_id: टेम्पलेट, template_variables: टेम्पलेट के मान, signature_position: हस्ताक्षर की जगह,
page_number: पेज नंबर, x: बाईं ओर से दूरी, y: नीचे से दूरी, width: चौड़ाई, height: ऊँचाई, type: प्रकार, title: शीर्षक,
description: विवरण, amount: रकम, charge_amount: शुल्क की रकम, tds_amount: टीडीएस की रकम, method: भुगतान का तरीका,
reference: संदर्भ नंबर, paid_on: भुगतान की तारीख, payer_id: भुगतान करने वाला, cheque_date: चेक की तारीख, cleared_on: चेक भुनने की तारीख,
outcome: परिणाम, allocations: बँटवारा, allow_duplicate: Allow a duplicate = दोहराने की अनुमति,
tds_certificate_number: टीडीएस प्रमाणपत्र नंबर, refunded_on: वापसी की तारीख, refund_method: वापसी का तरीका, deductions: कटौतियाँ,
due_date: नियत तारीख, period_start: अवधि की शुरुआत, period_end: अवधि का अंत, effective_on: लागू होने की तारीख, reason: कारण,
pending: बाकी, days: दिन, year: साल, month: महीना, from: कब से, to: कब तक, format: फ़ाइल का प्रकार,
category: श्रेणी, priority: प्राथमिकता, status: स्थिति, vendor_name: कारीगर का नाम, vendor_phone: कारीगर का फ़ोन नंबर,
scheduled_at: Visit = मुलाकात का समय, cost: खर्च, borne_by: खर्च उठाने वाला, comment: टिप्पणी, text: टिप्पणी, open: खुले अनुरोध,
is_internal: Internal = आंतरिक, page: पेज, limit: प्रति पेज संख्या, sort: क्रम, q: Search = खोज, verify: जाँच, provider: सेवा, on: Call = कॉल,
behaviour: व्यवहार, times: कितनी बार, match: मिलान, mode: तरीका, delay_ms: Delay in milliseconds = देरी (मिलीसेकंड), reset: रीसेट,
retry_after_s: Wait in seconds = प्रतीक्षा (सेकंड), advance_ms: Advance in milliseconds = आगे बढ़ाएँ (मिलीसेकंड), at: Time = समय
`

type Label = { english: string | undefined; hindi: string }

const labels = new Map(
  LABELS.trim()
    .split(/,\s+/)
    .map((line): [string, Label] => {
      const [name, label] = line.split(': ') as [string, string]
      const [hindi, english] = label.split(' = ').toReversed() as [string, string | undefined]
      return [name, { english, hindi }]
    }),
)
export const labelledNames = [...labels.keys()]

/** What people call a field: of `property_units.0.unit_name` its last name that is no index. */
export function toLabel(property: string): Words {
  if (!property) return [toSentenceCase(wholeRequest[0]), wholeRequest[1]]
  const name = property.split('.').findLast(part => /\D/.test(part)) ?? property
  const { english, hindi } = labels.get(name) ?? {}
  const derived = toSentenceCase(name.replace(/_id(s?)$/, '$1').replaceAll('_', ' '))
  return [english ?? derived, hindi ?? derived]
}

/** Abbreviations keep their capitals. */
function toSentenceCase(words: string) {
  const text = words.replace(/\b(pan|pin|tds|url)\b/g, word => word.toUpperCase())
  return text.charAt(0).toUpperCase() + text.slice(1)
}
