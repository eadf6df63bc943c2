/** The SDK's note about Node versions is for whoever runs it in the cloud, which has Node 24. */
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
