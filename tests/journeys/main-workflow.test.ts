import { it } from 'vitest'
import { runMainWorkflow } from './support/main-workflow.ts'
import { useProduct } from './support/use-product.ts'

const product = useProduct()

it('goes from registration to a reviewed grade that the student sees and the CSV has', async () => {
  await runMainWorkflow(product, { looks: true })
})
