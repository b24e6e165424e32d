// Corrects the states and districts of the source: errors, outdated borders, outdated names.

/** Today's name of a state, by its name in the source. */
export const stateNames: Record<string, string> = {
  'Andaman & Nicobar': 'Andaman and Nicobar Islands',
  Chattisgarh: 'Chhattisgarh',
  'Dadra & Nagar Haveli': 'Dadra and Nagar Haveli and Daman and Diu',
  'Daman & Diu': 'Dadra and Nagar Haveli and Daman and Diu',
  'Jammu & Kashmir': 'Jammu and Kashmir',
  Pondicherry: 'Puducherry',
}

/** The source has Ladakh as a part of Jammu and Kashmir. */
export const stateByDistrict: Record<string, string> = { Kargil: 'Ladakh', Leh: 'Ladakh' }

/** Today's name of a district, by its spelling in the source, which may have a suffix such as (MH). */
export const districtNames: Record<string, string> = {
  'Ahmed Nagar': 'Ahilyanagar',
  Allahabad: 'Prayagraj',
  Ananthapur: 'Anantapur',
  Ananthnag: 'Anantnag',
  'Ashok Nagar': 'Ashoknagar',
  Aurangabad: 'Chhatrapati Sambhajinagar',
  Bagpat: 'Baghpat',
  Baleswar: 'Balasore',
  Bandipur: 'Bandipora',
  Bangalore: 'Bengaluru Urban',
  'Bangalore Rural': 'Bengaluru Rural',
  Bardhaman: 'Purba Bardhaman',
  Belgaum: 'Belagavi',
  Bellary: 'Ballari',
  'Bijapur(KAR)': 'Vijayapura',
  Chamrajnagar: 'Chamarajanagar',
  Chickmagalur: 'Chikkamagaluru',
  Chikkaballapur: 'Chikkaballapura',
  Cuddapah: 'YSR Kadapa',
  'Dadra & Nagar Haveli': 'Dadra and Nagar Haveli',
  Darjiling: 'Darjeeling',
  Davangere: 'Davanagere',
  Debagarh: 'Deogarh',
  'East Midnapore': 'Purba Medinipur',
  'East Nimar': 'Khandwa',
  'East Sikkim': 'Gangtok',
  Faizabad: 'Ayodhya',
  Firozpur: 'Ferozepur',
  'Gandhi Nagar': 'Gandhinagar',
  Ganganagar: 'Sri Ganganagar',
  Giridh: 'Giridih',
  Gulbarga: 'Kalaburagi',
  Gurgaon: 'Gurugram',
  Hazaribag: 'Hazaribagh',
  Hoshangabad: 'Narmadapuram',
  Jagatsinghapur: 'Jagatsinghpur',
  'Jaintia Hills': 'West Jaintia Hills',
  Jajapur: 'Jajpur',
  Jalor: 'Jalore',
  Jhujhunu: 'Jhunjhunu',
  'Jyotiba Phule Nagar': 'Amroha',
  'K.V.Rangareddy': 'Rangareddy',
  Kanchipuram: 'Kancheepuram',
  'Karim Nagar': 'Karimnagar',
  Karimganj: 'Sribhumi',
  Kasargod: 'Kasaragod',
  Kawardha: 'Kabirdham',
  Kheri: 'Lakhimpur Kheri',
  Khorda: 'Khordha',
  'Lahul & Spiti': 'Lahaul and Spiti',
  'Mahabub Nagar': 'Mahabubnagar',
  Mahesana: 'Mehsana',
  Mammit: 'Mamit',
  Marigaon: 'Morigaon',
  Medinipur: 'Paschim Medinipur',
  Mohali: 'Sahibzada Ajit Singh Nagar',
  Muktsar: 'Sri Muktsar Sahib',
  Mysore: 'Mysuru',
  Nabarangapur: 'Nabarangpur',
  Nawanshahr: 'Shahid Bhagat Singh Nagar',
  Nellore: 'Sri Potti Sriramulu Nellore',
  Nilgiris: 'The Nilgiris',
  'North Cachar Hills': 'Dima Hasao',
  'North Dinajpur': 'Uttar Dinajpur',
  'North Sikkim': 'Mangan',
  Osmanabad: 'Dharashiv',
  Palamau: 'Palamu',
  Pondicherry: 'Puducherry',
  Puruliya: 'Purulia',
  'Raigarh(MH)': 'Raigad',
  Raebareli: 'Rae Bareli',
  Rajauri: 'Rajouri',
  Ramanagar: 'Ramanagara',
  Ropar: 'Rupnagar',
  Saiha: 'Siaha',
  'Sant Ravidas Nagar': 'Bhadohi',
  'Seraikela-kharsawan': 'Seraikela Kharsawan',
  Shimoga: 'Shivamogga',
  Sibsagar: 'Sivasagar',
  Sonapur: 'Subarnapur',
  'South Dinajpur': 'Dakshin Dinajpur',
  'South Sikkim': 'Namchi',
  Sundergarh: 'Sundargarh',
  'Surendra Nagar': 'Surendranagar',
  'The Dangs': 'Dang',
  Tumkur: 'Tumakuru',
  Tuticorin: 'Thoothukudi',
  'West Midnapore': 'Paschim Medinipur',
  'West Nimar': 'Khargone',
  'West Sikkim': 'Gyalshing',
  'Yamuna Nagar': 'Yamunanagar',
}

/**
 * PIN prefixes by state and district; the longest prefix of a PIN wins. They correct PINs in a wrong
 * district, and add districts that are newer than the source if whole groups of PINs moved to them.
 */
export const districtByPin: Record<string, Record<string, string>> = {
  'Andhra Pradesh': { 'East Godavari': '507113 507121 507135' },
  'Arunachal Pradesh': { Anjaw: '792104', Longding: '792131', Namsai: '792102 792103' },
  Assam: {
    'Kamrup Metropolitan': '78100 78101 78102 78103 78104 782402 782403',
    'Karbi Anglong': '782460',
  },
  'Dadra and Nagar Haveli and Daman and Diu': { 'Dadra and Nagar Haveli': '396235' },
  Delhi: {
    'New Delhi': '110001 110004 110011 110021',
    'North East Delhi': '110053 110090 110093 110094',
  },
  Gujarat: {
    Bharuch: '393002',
    Tapi: '394365 394370 394375 394380 39463 39464 39465 394660 394670 394680 394690',
  },
  Haryana: {
    'Charkhi Dadri': '127306 127307 127308 127310',
    Nuh: '122104 122105 122107 122108 122508',
    Palwal: '121102 121103 121105 121106 121107',
  },
  'Jammu and Kashmir': {
    Bandipora: '193501 193502 193503 193504',
    Baramulla: '193303',
    Ganderbal: '191131 191201 191202 191203',
    Kishtwar: '182204 182205 182206',
    Kulgam: '192231 192232 192233',
    Pulwama: '191102 191103',
    Ramban: '182144 182145 182146 182148',
    Reasi: '182301 182311 182312 182313 182315 182320',
    Samba: '181133 181141 181143 184120 184121',
    Shopian: '192303 192305',
  },
  Jharkhand: {
    Khunti: '835209 835210 835216 835227 835234',
    'Seraikela Kharsawan': '831013 831014',
  },
  Karnataka: {
    'Bengaluru Rural': '560300',
    'Bengaluru Urban': '560',
    Chikkaballapura: `561206 561207 561208 561209 56121 561228 562101 562102 562103 562104 562105
      563125`,
    Koppal: '583233',
  },
  'Madhya Pradesh': {
    Burhanpur: '450221 450331 450332 450445',
    Raisen: '462046',
    Singrauli: '48688 48689',
  },
  Maharashtra: {
    'Mumbai Suburban': '400024 400029 400042 400043 400049 40005 40006 40007 40008 40009 4001',
    Palghar: `401102 401103 401201 401202 401203 401207 401208 401209 4013 4014 4015 4016 421303
      421312`,
  },
  Meghalaya: { 'East Jaintia Hills': '793160 7932', 'South West Khasi Hills': '793114' },
  Puducherry: { Puducherry: '605014 607403', Yanam: '533464' },
  Punjab: {
    Fazilka: '152024 152033 152116 152117 152118 152121 152122 152123 152124 152128 152132',
    Pathankot: '143533 143534 145',
    'Sahibzada Ajit Singh Nagar': `140103 140109 140110 140201 140301 140306 140307 140308 140413
      1405 140601 140603 140604 140901 160055 160059 160062 160071 160103 160104`,
  },
  Sikkim: { Pakyong: '737106 737131 737132 737133', Soreng: '737121' },
  'Tamil Nadu': {
    Chengalpattu: `600043 600044 600045 600046 600047 600048 600059 600063 600064 600070 600073
      600074 600075 600117 600126 600127 600130 603001 603002 603003 6031 6032 6033 603401 603405`,
    Chennai: `600016 600019 600037 600041 600049 600050 600051 600053 600058 600060 600061 600076
      600087 600088 600089 600091 600095 600096 600097 600098 600099 600107 600110 600115
      600116 600119 600125`,
    Mayiladuthurai: '609001 609003 6091 6092 6093 609801 609803 609805 609806 609808 609811',
    Tiruppur: `638656 638657 638660 638661 638672 638673 6387 638812 641601 641602 641603 641604
      641605 641606 641607 641652 641654 641655 641662 641663 641664 641665 641666 641667 641670
      641687 642102 642111 642112 642113 642122 642126 642128 642132 642154 642201 642203 642204
      642205 642206 642207`,
  },
  Telangana: {
    'Medchal-Malkajgiri': `500010 500014 500037 500039 500040 500042 500043 500047 500051 500054
      500055 500056 500062 500067 500072 500076 500078 500083 500085 500087 500088 500090 500092
      500094 500098 500100 500101 501301 501401`,
    Rangareddy: `500019 500030 500032 500035 500046 500048 500049 500050 500052 500060 500068 500070
      500074 500075 500077 500079 500081 500084 500089 500091 500097 509216`,
    Sangareddy: `502001 502032 502205 502220 502285 502300 502305 502307 502319 502324 502325
      502329`,
    Vikarabad: '501101 501102 501106 501111 501121 50114 501158 501202 501501 501502',
  },
  'Uttar Pradesh': { Hapur: '245101 245201 245205 245207 245208 2453' },
  'West Bengal': {
    Alipurduar: `735204 735208 735213 735214 735215 735217 735220 735227 735228 736121 736122 736123
      736182 7362`,
    Jhargram: '7215',
    Kalimpong: '734301 734311 734314 734315 734316 734317 734319 735231',
    'Paschim Bardhaman': '713148 7132 7133',
    'Purba Bardhaman': '713',
  },
}
