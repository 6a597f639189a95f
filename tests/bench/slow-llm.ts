import { startFakeLlm } from '../fake-llm/fake-llm.ts'
import { endWithParent } from '../journeys/support/script-process.ts'

/** `node slow-llm.ts MS`: a fake LLM that answers after MS milliseconds; prints its address. */
endWithParent()
console.log((await startFakeLlm({ latencyMs: Number(process.argv[2]), idempotency: true })).url)
