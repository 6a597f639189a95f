import { usePageTitle } from '../../components/layout/usePageTitle.ts'
import { Audiences } from './Audiences.tsx'
import { CallToAction } from './CallToAction.tsx'
import { Hero } from './Hero.tsx'
import { HowItWorks } from './HowItWorks.tsx'
import { LandingHeader } from './LandingHeader.tsx'
import { SampleTestimonials } from './SampleTestimonials.tsx'
import { WhyAssay } from './WhyAssay.tsx'

/** What Assay is, for visitors without an account. It claims only what was measured or can be looked at. */
export function LandingPage() {
  usePageTitle('Graded with help, decided by the teacher')
  return (
    <>
      <LandingHeader />
      <Hero />
      <Audiences />
      <HowItWorks />
      <WhyAssay />
      <SampleTestimonials />
      <CallToAction />
    </>
  )
}
