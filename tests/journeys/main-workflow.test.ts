import { afterAll, beforeAll, it } from 'vitest'
import { runMainWorkflow } from './main-workflow.ts'
import { type Product, startProduct } from './product.ts'

let product: Product
beforeAll(async () => {
  product = await startProduct()
})
afterAll(async () => {
  await product.close()
})

it('goes from registering to a reviewed grade in the student’s hands and in the CSV', () => runMainWorkflow(product))
