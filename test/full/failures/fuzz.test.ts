import { testRandomRequests } from '../../server/security/fuzz'

testRandomRequests(10_000)
