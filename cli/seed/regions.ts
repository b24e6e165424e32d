/** A part of a city, with its PIN code. */
export type Place = { city: string; pin_code: number; locality: string; road_name: string; landmark: string }

export type Region = {
  script: string
  firstNames: string[]
  lastNames: string[]
  /** What a landlord calls a house. */
  houses: string[]
  places: Place[]
}

const place = (
  city: string,
  pin_code: number,
  locality: string,
  road_name: string,
  landmark: string,
): Place => ({ city, pin_code, locality, road_name, landmark })

/** Landlords come from these in turn. */
export const regions: Region[] = [
  {
    script: 'Latin',
    firstNames: ['Asha', 'Rohan', 'Meera', 'Vikram', 'Anita', 'Joseph', 'Farah', 'Kiran'],
    lastNames: ['Rao', 'Fernandes', 'Hegde', 'Khan', 'Shetty', 'D’Souza', 'Nair', 'Kulkarni'],
    houses: ['White House', 'Lakeview', 'Garden Court', 'Palm Grove', 'Sunrise'],
    places: [
      place('Bengaluru', 560034, 'Koramangala', '80 Feet Road', 'Near Forum Mall'),
      place('Bengaluru', 560038, 'Indiranagar', '100 Feet Road', 'Near the metro station'),
      place('Bengaluru', 560066, 'Whitefield', 'Varthur Road', 'Opposite Forum Value Mall'),
    ],
  },
  {
    script: 'Devanagari',
    firstNames: ['आशा', 'रोहन', 'सुनीता', 'विक्रम', 'प्रिया', 'अमित', 'कविता', 'राजेश'],
    lastNames: ['शर्मा', 'गुप्ता', 'वर्मा', 'मिश्रा', 'सिंह', 'त्रिपाठी', 'अग्रवाल'],
    houses: ['शांति निवास', 'गंगा भवन', 'आनंद कुंज', 'लक्ष्मी सदन', 'सूर्य निकेतन'],
    places: [
      place('New Delhi', 110017, 'Malviya Nagar', 'Shivalik Road', 'Near Saket metro station'),
      place('Lucknow', 226010, 'Gomti Nagar', 'Vibhuti Khand', 'Near Lohia Park'),
      place('Jaipur', 302020, 'Mansarovar', 'Madhyam Marg', 'Near the metro station'),
    ],
  },
  {
    script: 'Tamil',
    firstNames: ['முருகன்', 'லட்சுமி', 'கார்த்திக்', 'மீனா', 'செந்தில்', 'கவிதா', 'அருண்', 'வள்ளி'],
    lastNames: ['சுப்பிரமணியன்', 'ராஜன்', 'சுந்தரம்', 'நடராஜன்', 'பாண்டியன்', 'கிருஷ்ணன்'],
    houses: ['அன்பு இல்லம்', 'தாமரை இல்லம்', 'பொன் மாளிகை', 'குறிஞ்சி இல்லம்', 'காவேரி இல்லம்'],
    places: [
      place('Chennai', 600004, 'Mylapore', 'Luz Church Road', 'Near Kapaleeshwarar Temple'),
      place('Chennai', 600020, 'Adyar', 'Lattice Bridge Road', 'Near Adyar bus depot'),
      place('Coimbatore', 641018, 'Race Course', 'Trichy Road', 'Near the Race Course walk'),
    ],
  },
  {
    script: 'Bengali',
    firstNames: ['অর্পিতা', 'সৌরভ', 'মৌসুমী', 'অনির্বাণ', 'শর্মিলা', 'দেবাশিস', 'রিয়া', 'সুমন'],
    lastNames: ['চট্টোপাধ্যায়', 'বন্দ্যোপাধ্যায়', 'ঘোষ', 'সেন', 'দাশগুপ্ত', 'মুখোপাধ্যায়'],
    houses: ['শান্তিনীড়', 'বসুন্ধরা', 'আনন্দধারা', 'গীতাঞ্জলি', 'সোনার তরী'],
    places: [
      place('Kolkata', 700019, 'Ballygunge', 'Gariahat Road', 'Near Gariahat market'),
      place('Kolkata', 700091, 'Salt Lake', 'Broadway Road', 'Near Karunamoyee'),
      place('Siliguri', 734001, 'Hakimpara', 'Hill Cart Road', 'Near Siliguri Junction'),
    ],
  },
  {
    script: 'Telugu',
    firstNames: ['లక్ష్మి', 'వెంకటేశ్', 'పద్మ', 'రవి', 'శ్రీనివాస్', 'సరస్వతి'],
    lastNames: ['రెడ్డి', 'చౌదరి', 'నాయుడు', 'రావు', 'శాస్త్రి'],
    houses: ['శ్రీ నిలయం', 'గోదావరి నివాసం', 'పూల తోట', 'వెన్నెల'],
    places: [
      place('Hyderabad', 500034, 'Banjara Hills', 'Road No. 12', 'Near GVK One'),
      place('Hyderabad', 500081, 'Madhapur', 'HITEC City Road', 'Near Cyber Towers'),
    ],
  },
  {
    script: 'Malayalam',
    firstNames: ['അനിൽ', 'ലക്ഷ്മി', 'തോമസ്', 'ഫാത്തിമ', 'രാജേഷ്', 'സിന്ധു'],
    lastNames: ['നായർ', 'മേനോൻ', 'കുര്യൻ', 'പിള്ള', 'വർഗീസ്'],
    houses: ['സ്നേഹതീരം', 'തറവാട്', 'പൂമുഖം', 'നിലാവ്'],
    places: [
      place('Kochi', 682020, 'Kadavanthra', 'Sahodaran Ayyappan Road', 'Near the metro station'),
      place('Thiruvananthapuram', 695003, 'Kowdiar', 'Kowdiar Avenue', 'Near Kowdiar Palace'),
    ],
  },
  {
    script: 'Gujarati',
    firstNames: ['હેતલ', 'જિગ્નેશ', 'કોમલ', 'ભાવેશ', 'નીતા', 'પરેશ'],
    lastNames: ['પટેલ', 'શાહ', 'દેસાઈ', 'મહેતા', 'જોશી'],
    houses: ['આશીર્વાદ', 'માતૃછાયા', 'શુભ લક્ષ્મી', 'કૃષ્ણ કુંજ'],
    places: [
      place('Ahmedabad', 380015, 'Satellite', 'Jodhpur Cross Road', 'Near Iscon Temple'),
      place('Surat', 395007, 'Vesu', 'VIP Road', 'Near VR Surat'),
    ],
  },
  {
    script: 'Gurmukhi',
    firstNames: ['ਹਰਪ੍ਰੀਤ', 'ਗੁਰਮੀਤ', 'ਸਿਮਰਨ', 'ਮਨਜੀਤ', 'ਜਸਪ੍ਰੀਤ', 'ਬਲਵਿੰਦਰ'],
    lastNames: ['ਸਿੰਘ', 'ਕੌਰ', 'ਗਿੱਲ', 'ਢਿੱਲੋਂ', 'ਸੰਧੂ'],
    houses: ['ਸੁਖ ਨਿਵਾਸ', 'ਪੰਜ ਦਰਿਆ', 'ਖੇੜਾ ਹਾਊਸ', 'ਚੜ੍ਹਦੀ ਕਲਾ'],
    places: [
      place('Amritsar', 143001, 'Lawrence Road', 'Lawrence Road', 'Near Company Bagh'),
      place('Chandigarh', 160022, 'Sector 22', 'Himalaya Marg', 'Near the bus stand'),
    ],
  },
]
