import { Module } from 'perch-mcp';
import { GaugeHealth } from './gauge-health';
import { TideGauge } from './tide-gauge';
import { TideTools } from './tide-tools';

@Module({ providers: [TideGauge, TideTools, GaugeHealth] })
export class AppModule {}
