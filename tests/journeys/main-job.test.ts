import { afterAll, beforeAll, it } from 'vitest'
import { mainJob } from './main-job.ts'
import { type Product, startProduct } from './product.ts'

let product: Product
beforeAll(async () => {
  product = await startProduct()
})
afterAll(async () => {
  await product.close()
})

it('goes from registering to a reviewed grade in the student’s hands and in the CSV', () => mainJob(product))
