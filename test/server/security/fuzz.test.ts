import { testRandomRequests } from './fuzz'

testRandomRequests(500)
