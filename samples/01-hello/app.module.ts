import { Module } from 'perch-mcp';
import { GreetTool, Greeter } from './greet';
import { Guestbook } from './guestbook';

@Module({ providers: [Greeter, GreetTool, Guestbook] })
export class AppModule {}
