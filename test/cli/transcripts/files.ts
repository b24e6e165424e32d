/** The files in the home of a transcript. */
export const files: Record<string, string> = {
  'body.json': '{"pin_code":560034}',
  'houses.csv': `property,pin_code,property_type,alias_name,common_amenities,unit_name,floor_number,is_available
1,560034,apartment,New,Lift; Gym,A-1,-1,true
1,560034,apartment,,,A-2,2,false
2,600004,PG,,,,,
`,
  'wrong.csv': `property,pin_code,property_type,alias_name,unit_name,room_type,area_sqft,is_available,unit_amenities
1,56003,castle,Fine,A-1,2bhk,large,maybe,"[1]"
x,560034,pg,,,9bhk,0,,
1,560034,apartment,Other,A-1,,,,,more
2,12,pg,,,,,,
`,
  'unknown.csv': 'property,pin_code,property_type,colour,size\n',
  'lacking.csv': 'property,alias_name\n',
  'semicolons.csv': 'property;pin_code;property_type\n1;560034;pg\n',
  'empty.csv': '',
  'open.csv': 'property,pin_code,property_type\n1,"2,3\n',
  'landlords.csv': `phone,first_name,last_name,email
+91 98765 43211,Ravi,Rao,ravi@example.com
9876543212,Meera,Pillai,meera@example.com
`,
  'wrong-landlords.csv': `phone,first_name,last_name,email
9876543211,Ravi,Rao,ravi@
12345,,Pillai,meera@example.com
9876543211,Ravi,Rao,ravi@example.com
`,
}
