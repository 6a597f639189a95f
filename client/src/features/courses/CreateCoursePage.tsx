import { Page } from '../../components/Page.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'

/** Being written. */
export function CreateCoursePage() {
  return (
    <Page>
      <PageHeader title="CreateCoursePage" />
    </Page>
  )
}
