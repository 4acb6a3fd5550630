import { HealthIndicator } from 'perch-mcp';
import { TideGauge } from './tide-gauge';

@HealthIndicator({ name: 'gauge' })
export class GaugeHealth implements HealthIndicator {
  constructor(private readonly gauge: TideGauge) {}

  check(): boolean {
    return this.gauge.isPlugged;
  }
}
