import writeXlsxFile, { type SheetData } from 'write-excel-file/universal'
import { createContext } from '../../cli/runtime/context'
import { readSheet, type SheetOptions, type SheetSpec } from '../../cli/sheets/read-sheet'
import { recordTerminal } from './shell'

/** Reads a sheet; a person at a terminal has replies. */
export async function read(
  file: string | Uint8Array,
  spec: SheetSpec,
  options?: SheetOptions,
  replies?: string[],
) {
  const ask = async () => replies!.shift()!
  const { terminal, told } = recordTerminal({ isInteractive: replies !== undefined, ask })
  const sheet = await readSheet(createContext(terminal, {}), Buffer.from(file as string), spec, options)
  return { ...sheet, told }
}

// A landlord's workbook as landlords keep them: twelve flats in two buildings, a PG of eight beds, a shop.
// Below, | separates cells; #101 is a number and @2026-04-01 a date of the spreadsheet.

const flats = `
SRI LAKSHMI ESTATES: RENT LIST 2026-27
|As on 31-Oct-2026, all in Rs.

Sl. No.|Building|Flat No|Type|Floor|Furnishing|Area|Pin Code|Tenant Name|Mobile No.|Rent (Rs.)|Advance|From|Period|Due|Balance|Pets|Remarks|
#1|Lakshmi Nivas|#101|2 BHK|First|Semi|1050 sft|560 076|Mr. Anil Nair|98450 11104 / 98450 11114|25,000/-|1.5 L|@2026-04-01|11 months|#5||Y|pays by cheque|
#2||#102|2BHK|#1|SF|1,050||Priya Raman|+91 98450 11105|#24500|₹1,00,000|1-Apr-26|11|#5|#500|N||ask about parking
#3||#103|1 BHK|F|UF|#650||K. Manjunath|#9845011106|18,000|75000||15/06/2026 to 14/05/2027|#5|Nil|||
#4||#201|3 BHK|SF|Fully Furnished|1450 sq.ft.||Vivek & Asha Rao|098450-11107|32k|2 lakh|01-09-2025|2 years|10th|#16000|yes||
#5||#202|2 BHK|Second|-|1050 Sq Ft||Vacant||#25000|||||||painting|
#6||#203|2 bhk|2nd floor|semi-furnished|#1050||Fatima Sheikh|९८४५०११११०|Rs. 26,000|1,30,000|२५/०८/२०२६|11 mths|#5||n||
#7|Green Residency|G-1|1 RK|Ground|None|#400|#560037|Suresh|98450 11111|#9000|#30000|1 May 2026|11|#5||Y||
#8||G-2|1 BHK|G|U|#600||Kamala Devi|98450-11112|#13000|50,000|01.08.2026|11|#5|#1300.5|N||
#9||F-1|2 BHK|1st|S|#950||Joseph Mathew|98450 11113|#22000|1.10 L|20/02/2026|1 yr|#5||||
#10||F-2|2 BHK|FF|FF|#950||Ravi Kumar|+91-98450-11115|#21500|#100000|April 10, 2026|11|#5|21,500|||
#11||S-1|2 BHK|#2|SF|#950||Meena Iyer|98450 11116|#22500|#100000|#46113|11|#5||||
#12||S-2|3 BHK|2|F|#1250||Dr. Imran Ali Khan|98450 11117|28,000 p.m.|1,40,000|05/07/2026|11|#5||Y||

Total||||||||||#266500|||||#39300.5`

const toBed = (_: unknown, index: number) =>
  `#${Math.floor(index / 2) + 1}|#${index + 1}|Guest ${index + 1}|#${9845022100 + index}|` +
  `${index % 2 === 0 ? '8,500/-' : '#9000'}|10k|@2026-0${index + 1}-15|${index === 3 ? '#4500' : ''}`
const beds = `Sai PG: guests
Room|Bed|Name|WhatsApp|Rent pm|Deposit|DOJ|Dues
${Array.from({ length: 8 }, toBed).join('\n')}`

const shops = `
Shop No|Lessee|Contact|Monthly Rent|Security Deposit|Lease Start|Lease End|Notice|Agreement Date
S1|Brew Cafe Pvt Ltd|98450 33100|80,000|4.8 L|01/10/2024|30/09/2027|3 months|25-Sep-2024`

function toCell(text: string) {
  if (text === '') return null
  if (text.startsWith('#')) return { value: Number(text.slice(1)) }
  if (!text.startsWith('@')) return { value: text }
  return { value: new Date(`${text.slice(1)}T00:00:00Z`), type: Date, format: 'dd/mm/yyyy' }
}

/** A workbook of sheets that are written like those above. */
export async function toWorkbook(sheets: Record<string, string>): Promise<Uint8Array> {
  const all = Object.entries(sheets).map(([sheet, text]) => ({
    sheet,
    data: text.split('\n').map(line => line.split('|').map(toCell)) as SheetData,
  }))
  const blob = await writeXlsxFile(all).toBlob()
  return new Uint8Array(await blob.arrayBuffer())
}

export const messyWorkbook = () => toWorkbook({ Flats: flats, PG: beds, Shops: shops })
