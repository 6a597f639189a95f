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

it('goes from registration to a reviewed grade that the student sees and the CSV has', () => runMainWorkflow(product))
