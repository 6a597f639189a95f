import { startFakeLlm } from '../fake-llm/fake-llm.ts'

/** `node slow-llm.ts MS`: a fake LLM that answers after MS milliseconds; prints its address. */
const model = await startFakeLlm({ latencyMs: Number(process.argv[2]), idempotency: true })
console.log(model.url)
