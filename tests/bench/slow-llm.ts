import { startFakeLlm } from '../fake-llm/fake-llm.ts'

/** `node slow-llm.ts MS`: a fake model that takes so long over an answer; says where it listens. */
const model = await startFakeLlm({ latencyMs: Number(process.argv[2]), idempotency: true })
console.log(model.url)
