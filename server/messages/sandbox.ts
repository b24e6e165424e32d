import { list, type Errors, type Results } from './words'

export const errors = {
  sandbox_behaviour_unsupported: ({ provider, behaviours }: { provider: string; behaviours: string[] }) => [
    `must be, for ${provider}, one of ${list(behaviours)}`,
    `में ${provider} के लिए इनमें से एक दें: ${list(behaviours)}`,
  ],
  sandbox_call_unsupported: (given: { provider: string; behaviour: string; calls: string[] }) => [
    `must be, for ${given.behaviour} at ${given.provider}, one of any, ${list(given.calls)}`,
    `में ${given.provider} के ${given.behaviour} के लिए इनमें से एक दें: any, ${list(given.calls)}`,
  ],
  sandbox_check_finished: ['The identity check is finished', 'यह पहचान जाँच पूरी हो चुकी है'],
  sandbox_check_not_found: ['Identity check not found', 'पहचान जाँच नहीं मिली'],
  sandbox_clock_change_ambiguous: [
    'Exactly one of advance_ms, at and reset is required',
    'advance_ms, at और reset में से ठीक एक देना ज़रूरी है',
  ],
  sandbox_clock_out_of_range: [
    'The sandbox clock must be within ten years of the server clock',
    'सैंडबॉक्स की घड़ी सर्वर की घड़ी से दस साल के भीतर होनी चाहिए',
  ],
  sandbox_provider_not_simulated: ['must be one that the sandbox simulates', 'में वह सेवा दें जिसे सैंडबॉक्स चलाता है'],
  sandbox_request_closed: ({ by }: { by: string }) => [
    `The signing request is closed: ${by}`,
    `हस्ताक्षर का यह अनुरोध बंद हो चुका है: ${by}`,
  ],
  sandbox_request_not_found: ['Signing request not found', 'हस्ताक्षर का अनुरोध नहीं मिला'],
  sandbox_failure_not_found: ['Simulated failure not found', 'यह कृत्रिम विफलता नहीं मिली'],
  sandbox_token_required: [
    'The sandbox requires SANDBOX_TOKEN as the bearer token',
    'सैंडबॉक्स के लिए bearer token में SANDBOX_TOKEN भेजें',
  ],
} satisfies Errors

export const results = {
  failure_removed: ['The simulated failure was removed', 'कृत्रिम विफलता हटा दी गई है'],
  failures_cleared: ['All simulated failures were cleared', 'सभी कृत्रिम विफलताएँ हटा दी गई हैं'],
} satisfies Results
