import { PdfLayout } from '../../pdf/layout'
import {
  addDescriptionList,
  addHeading,
  addNote,
  addTitle,
  createCell,
  finishDocument,
  styles,
} from '../../pdf/sections'

const SAMPLE = 'Sample for trying out the signing. Its people and premises are made up.'
const MADE_ON = new Date('2026-11-01T00:00:00+05:30')

const clauses: [title: string, text: string][] = [
  [
    'Licence',
    'The licensor allows the licensee to use the premises as a residence for the term, on these terms. ' +
      'Possession and title stay with the licensor.',
  ],
  [
    'Rent',
    'The licensee pays the rent in advance by the 5th day of each month, by a traceable means of payment. ' +
      'Maintenance charges of the society are the licensor’s; electricity, gas and internet are the licensee’s.',
  ],
  [
    'Deposit',
    'The licensee pays the deposit before moving in. It bears no interest. The licensor returns it within ' +
      'thirty days after the premises are handed back, less what is owed for rent, bills and damage beyond ' +
      'normal wear, with a statement.',
  ],
  [
    'Use and care',
    'The licensee keeps the premises clean and in good order, does not alter them, does not let others use ' +
      'them for payment, and follows the rules of the society. The licensor sees to repairs of the structure, ' +
      'the water supply and the wiring.',
  ],
  [
    'Entry',
    'The licensor may inspect the premises at a reasonable hour, with a notice of 24 hours, except in an emergency.',
  ],
  [
    'Notice',
    'Either party may end the licence in writing with a notice of 30 days, but not so that it ends within the ' +
      'first three months. The rent is due until the premises are handed back.',
  ],
  [
    'Handing back',
    'At the end of the term the licensee hands back the premises with all keys and fittings in the condition ' +
      'in which they were taken over, except for normal wear.',
  ],
  ['Disputes', 'The courts at Bengaluru decide disputes that the parties cannot settle between themselves.'],
]

/** Renders a lease for trying out the signing, always the same. */
export function renderSampleLease(): Promise<Uint8Array> {
  const page = new PdfLayout({ title: 'Leave and licence agreement (sample)', createdAt: MADE_ON })
  addTitle(page, 'Leave and licence agreement', 'Made at Bengaluru on 1 Nov 2026')
  page.addRow([createCell(SAMPLE, { style: styles.emphasis })])

  addHeading(page, 'The parties')
  addDescriptionList(page, [
    ['Licensor', 'Meera Krishnan, 14 Temple Road, Malleshwaram, Bengaluru 560003 (“the owner”)'],
    ['Licensee', 'Arjun Deshpande, 7 Law College Road, Erandwane, Pune 411004 (“the tenant”)'],
  ])
  addHeading(page, 'The terms')
  addDescriptionList(page, [
    ['Premises', 'Flat A-101, White House, 80 Feet Road, Indiranagar, Bengaluru, Karnataka 560038'],
    ['Furnishing', '2 bedrooms, hall and kitchen, semi-furnished, one covered parking place'],
    ['Term', '1 Dec 2026 to 31 Oct 2027 (11 months)'],
    ['Monthly rent', '₹25,000.00 (rupees twenty-five thousand)'],
    ['Deposit', '₹1,00,000.00 (rupees one lakh)'],
    ['Notice period', '30 days'],
  ])
  addHeading(page, 'The clauses')
  for (const [index, [title, text]] of clauses.entries()) {
    page.addRow([
      createCell(`${index + 1}. ${title}`, { style: styles.emphasis, width: 88 }),
      createCell(text, { x: 92 }),
    ])
    page.addSpace(5)
  }
  addNote(page, 'The parties sign electronically; the page of their signatures is the last one.')
  return finishDocument(page, `${SAMPLE} Not legally binding.`)
}
