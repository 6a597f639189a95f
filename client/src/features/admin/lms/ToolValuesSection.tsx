import type { LmsGuide } from '@assay/shared/lti/lms-guides.ts'
import type { ToolValues } from '@assay/shared/lti/lti-registration.ts'
import { CopyableValues } from '../../../components/display/CopyableValues.tsx'
import classes from './Lms.module.css'

export function ToolValuesSection({ guide, tool }: { guide: LmsGuide; tool: ToolValues }) {
  return (
    <div className={classes.part}>
      <ol className={classes.steps}>
        {guide.manualSteps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <CopyableValues label={`Assay’s values for ${guide.name}`} values={guide.toolValueFields(tool)} />
      <ul className={classes.choose}>
        {guide.settingSteps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ul>
    </div>
  )
}
